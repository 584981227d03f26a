//! The metadata account, which wallets, explorers and SDKs read.
//!
//! It has [`LEN`] bytes with the fields in borsh, one after another: the kind of account (4), update authority, mint,
//! the fields below, whether the first sale is over, whether the fields are mutable, then five optional ones (bump of
//! the edition's address, token standard, collection, uses, collection details, programmable configuration). The
//! texts are padded with zero bytes to their maximum length. The last byte tells that fees are held in the account.

use crate::error::{
    MetadataError, DATA_TYPE_MISMATCH, INCORRECT_OWNER, INSTRUCTION_NOT_SUPPORTED, NUMERICAL_OVERFLOW,
};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::heap::List;
use sluice_program::{Account, Address, ProgramError, Result};

pub const MAX_NAME: usize = 32;
pub const MAX_SYMBOL: usize = 10;
pub const MAX_URI: usize = 200;
pub const MAX_CREATORS: usize = 5;
pub const CREATOR_LEN: usize = 32 + 1 + 1;
/// The length of new accounts. Accounts from before the end of 2024 have 679 bytes until they are resized.
pub const LEN: usize = 607;
/// The first byte of a metadata account.
const KEY: u8 = 4;
pub const NON_FUNGIBLE: u8 = 0;
pub const FUNGIBLE_ASSET: u8 = 1;
pub const FUNGIBLE: u8 = 2;
pub const NON_FUNGIBLE_EDITION: u8 = 3;
pub const PROGRAMMABLE_NON_FUNGIBLE: u8 = 4;
const LAST_TOKEN_STANDARD: u8 = 5;
/// The version of collection details that counts the members. The newer one does not.
const SIZED: u8 = 0;
const LAST_USE_METHOD: u8 = 2;

/// The fields that the update authority can change.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    pub name: &'a [u8],
    pub symbol: &'a [u8],
    pub uri: &'a [u8],
    pub seller_fee_basis_points: u16,
    pub creators: Option<Creators<'a>>,
    pub collection: Option<Collection>,
    pub uses: Option<Uses>,
}

/// A list of entries of [`CREATOR_LEN`] bytes.
#[derive(Clone, Copy)]
pub struct Creators<'a>(&'a [u8]);

/// A creator of the asset, with the share of its royalties.
#[derive(Clone, Copy)]
pub struct Creator {
    pub address: Address,
    pub verified: bool,
    /// In percent.
    pub share: u8,
}

/// A creator's own word on whether the asset is its work.
pub struct CreatorMark<'a> {
    pub address: &'a Address,
    pub verified: bool,
}

/// The collection to which an asset belongs.
#[derive(Clone, Copy)]
pub struct Collection {
    pub verified: bool,
    pub mint: Address,
}

/// The number of times that an asset can be used.
#[derive(Clone, Copy)]
pub struct Uses {
    pub method: u8,
    pub remaining: u64,
    pub total: u64,
}

/// The content of a metadata account.
pub struct Metadata<'a> {
    pub update_authority: Address,
    pub mint: Address,
    pub fields: Fields<'a>,
    pub primary_sale_happened: bool,
    pub is_mutable: bool,
    pub edition_bump: Option<u8>,
    pub token_standard: Option<u8>,
    /// The version of the details, and eight bytes that are no longer used.
    pub collection_details: Option<(u8, u64)>,
}

impl<'a> Creators<'a> {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        let count = from.u32()? as usize;
        let entries = Self(from.bytes(count.checked_mul(CREATOR_LEN)?)?);
        if entries.iter().count() == count {
            Some(entries)
        } else {
            None
        }
    }

    /// Returns the number of creators.
    pub fn len(self) -> usize {
        self.0.len() / CREATOR_LEN
    }

    /// Iterates over the creators. It stops at an entry whose flag is neither 0 nor 1; `read` accepts no such
    /// entries.
    pub fn iter(self) -> impl Iterator<Item = Creator> + 'a {
        let mut from = Reader::new(self.0);
        core::iter::from_fn(move || {
            Some(Creator { address: from.address()?, verified: from.bool()?, share: from.u8()? })
        })
    }

    /// Returns the creators, of which the first one with that address has the mark, or None if there is none. `marked`
    /// holds their bytes.
    #[inline(never)]
    pub fn mark<'b>(self, mark: &CreatorMark, marked: &'b mut List<u8>) -> Result<Option<Creators<'b>>> {
        let mut found = false;
        for creator in self.iter() {
            let is_first = !found && creator.address == *mark.address;
            found |= is_first;
            marked.extend(&creator.address.0)?;
            marked.push(if is_first { mark.verified } else { creator.verified } as u8)?;
            marked.push(creator.share)?;
        }
        Ok(if found { Some(Creators(marked)) } else { None })
    }

    /// Returns the creator with that address.
    pub fn find(self, address: &Address) -> Option<Creator> {
        self.iter().find(|creator| creator.address == *address)
    }
}

/// Reads an optional value of borsh: a byte that is 0 or 1, and the value after a 1.
pub fn optional<'a, T>(
    from: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Option<T>,
) -> Option<Option<T>> {
    if from.bool()? {
        read(from).map(Some)
    } else {
        Some(None)
    }
}

impl<'a> Fields<'a> {
    /// Reads the first five fields. Collection and uses are in different places in accounts and in instructions.
    #[inline(never)]
    pub fn read_data(from: &mut Reader<'a>) -> Option<Self> {
        Some(Self {
            name: text(from)?,
            symbol: text(from)?,
            uri: text(from)?,
            seller_fee_basis_points: from.u16()?,
            creators: optional(from, Creators::read)?,
            collection: None,
            uses: None,
        })
    }
}

fn text<'a>(from: &mut Reader<'a>) -> Option<&'a [u8]> {
    let bytes = from.prefixed()?;
    core::str::from_utf8(bytes).ok().map(str::as_bytes)
}

impl Collection {
    /// Returns None if the bytes are cut short or invalid.
    pub fn read(from: &mut Reader) -> Option<Self> {
        Some(Self { verified: from.bool()?, mint: from.address()? })
    }
}

impl Uses {
    /// Returns None if the bytes are cut short or invalid.
    pub fn read(from: &mut Reader) -> Option<Self> {
        let method = from.u8().filter(|method| *method <= LAST_USE_METHOD)?;
        Some(Self { method, remaining: from.u64()?, total: from.u64()? })
    }
}

/// Reads a token standard. Returns None if its number is unknown.
pub fn read_token_standard(from: &mut Reader) -> Option<u8> {
    from.u8().filter(|standard| *standard <= LAST_TOKEN_STANDARD)
}

/// Reads the version and size of collection details. Returns None if the bytes are cut short or the version is
/// unknown.
pub fn read_collection_details(from: &mut Reader) -> Option<(u8, u64)> {
    let version = from.u8().filter(|version| *version <= 1)?;
    Some((version, from.u64()?))
}

/// Copies the account's bytes, so that the account can be written while its old fields are still needed.
///
/// Fails with DataTypeMismatch if it is no metadata account, and with IncorrectOwner if another program owns it.
pub fn copy_of(account: Account, program: &Address) -> Result<List<u8>> {
    let data = account.data()?;
    if data.first() != Some(&KEY) {
        return Err(DATA_TYPE_MISMATCH.into());
    }
    if !account.is_owned_by(program) {
        return Err(INCORRECT_OWNER.into());
    }
    let mut copy = List::with_capacity(data.len())?;
    copy.extend(&data)?;
    Ok(copy)
}

/// Returns whether there is no metadata anymore. What was burned leaves an account with one zero byte if it holds a fee.
pub fn is_burned(account: Account) -> Result<bool> {
    Ok(account.data()?.first().is_none_or(|key| *key == 0))
}

impl<'a> Metadata<'a> {
    /// Counts a member of the collection in or out, if the collection counts its members. Returns whether it does.
    pub fn resize_collection(&mut self, change: fn(u64, u64) -> Option<u64>) -> Result<bool> {
        let Some((SIZED, size)) = self.collection_details else { return Ok(false) };
        let size = change(size, 1).ok_or_else(|| ProgramError::from(NUMERICAL_OVERFLOW))?;
        self.collection_details = Some((SIZED, size));
        Ok(true)
    }

    /// Fails with DataTypeMismatch if the bytes cannot be decoded, and with InstructionNotSupported for programmable
    /// assets, which no instruction here supports.
    #[inline(never)]
    pub fn decode(bytes: &'a [u8]) -> Result<Self> {
        let mut from = Reader::new(bytes);
        let mut metadata = Self::read_head(&mut from).ok_or(ProgramError::from(DATA_TYPE_MISMATCH))?;
        // Accounts of early versions may have other bytes here. The public program treats them as absent fields.
        let programmable = metadata.read_tail(&mut from).unwrap_or(false);
        if programmable {
            return Err(INSTRUCTION_NOT_SUPPORTED.into());
        }
        Ok(metadata)
    }

    #[inline(never)]
    fn read_head(from: &mut Reader<'a>) -> Option<Self> {
        from.u8()?;
        let update_authority = from.address()?;
        let mint = from.address()?;
        Some(Self {
            update_authority,
            mint,
            fields: Fields::read_data(from)?,
            primary_sale_happened: from.bool()?,
            is_mutable: from.bool()?,
            edition_bump: optional(from, Reader::u8)?,
            token_standard: None,
            collection_details: None,
        })
    }

    /// Reads token standard, collection and uses, either all of them or none. Returns whether there is a programmable
    /// configuration.
    fn read_tail(&mut self, from: &mut Reader) -> Option<bool> {
        let token_standard = optional(from, read_token_standard)?;
        let collection = optional(from, |from| Collection::read(from))?;
        let uses = optional(from, |from| Uses::read(from))?;
        self.token_standard = token_standard;
        self.fields.collection = collection;
        self.fields.uses = uses;
        self.collection_details = optional(from, read_collection_details)?;
        from.bool()
    }

    /// Writes everything except the last byte, with zeros after the fields.
    #[inline(never)]
    pub fn store(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        let end = data.len().checked_sub(1).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        sluice_program::memory::fill(&mut data[..end], 0);
        let mut to = Writer::new(&mut data);
        to.u8(KEY)?;
        to.address(&self.update_authority)?;
        to.address(&self.mint)?;
        self.fields.write_data(&mut to)?;
        to.u8(self.primary_sale_happened as u8)?;
        to.u8(self.is_mutable as u8)?;
        write_byte(&mut to, self.edition_bump)?;
        write_byte(&mut to, self.token_standard)?;
        self.write_tail(&mut to)
    }

    fn write_tail(&self, to: &mut Writer) -> Result {
        to.u8(self.fields.collection.is_some() as u8)?;
        if let Some(collection) = &self.fields.collection {
            to.u8(collection.verified as u8)?;
            to.address(&collection.mint)?;
        }
        to.u8(self.fields.uses.is_some() as u8)?;
        if let Some(uses) = &self.fields.uses {
            to.u8(uses.method)?;
            to.u64(uses.remaining)?;
            to.u64(uses.total)?;
        }
        to.u8(self.collection_details.is_some() as u8)?;
        if let Some((version, unused)) = self.collection_details {
            to.u8(version)?;
            to.u64(unused)?;
        }
        Ok(())
    }
}

impl Fields<'_> {
    fn write_data(&self, to: &mut Writer) -> Result {
        write_filled(to, self.name, MAX_NAME)?;
        write_filled(to, self.symbol, MAX_SYMBOL)?;
        write_filled(to, self.uri, MAX_URI)?;
        to.u16(self.seller_fee_basis_points)?;
        to.u8(self.creators.is_some() as u8)?;
        if let Some(creators) = self.creators {
            to.u32(creators.len() as u32)?;
            to.bytes(creators.0)?;
        }
        Ok(())
    }
}

/// Writes a text of at most `len` bytes, padded with zeros.
fn write_filled(to: &mut Writer, text: &[u8], len: usize) -> Result {
    to.u32(len as u32)?;
    to.bytes(text)?;
    for _ in text.len()..len {
        to.u8(0)?;
    }
    Ok(())
}

fn write_byte(to: &mut Writer, value: Option<u8>) -> Result {
    to.u8(value.is_some() as u8)?;
    if let Some(value) = value {
        to.u8(value)?;
    }
    Ok(())
}

/// Fails with `error` unless `holds`.
pub fn require(holds: bool, error: MetadataError) -> Result {
    if holds {
        Ok(())
    } else {
        Err(error.into())
    }
}
