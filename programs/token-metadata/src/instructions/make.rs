//! The creation of a metadata account, which both creating instructions share.

use crate::addresses::{self, PREFIX};
use crate::checks;
use crate::error::{
    EXPECTED_UNINITIALIZED_ACCOUNT, INCORRECT_OWNER, INVALID_METADATA_KEY, INVALID_MINT_AUTHORITY,
    NOT_MINT_AUTHORITY,
};
use crate::state::{require, Fields, Metadata, FUNGIBLE, FUNGIBLE_ASSET, LEN};
use sluice_program::bytes::{self, Reader};
use sluice_program::sysvar::Rent;
use sluice_program::token::PROGRAMS;
use sluice_program::{system, Account, Address, ProgramError, Result};

/// The program's fee for a new account is the rent of this many bytes plus some lamports, which is 0.01 SOL in total.
const FEE_BYTES: usize = 1308;
const FEE_LAMPORTS: u64 = 5440;
const DECIMALS_OFFSET: usize = 44;

/// The accounts of a creation.
pub struct Make<'a> {
    pub program: &'a Address,
    pub metadata: Account<'a>,
    pub mint: Account<'a>,
    pub mint_authority: Account<'a>,
    pub payer: Account<'a>,
    pub update_authority: Account<'a>,
}

/// The content of the new account, as the instruction passes it.
pub struct Content<'d> {
    pub fields: Fields<'d>,
    pub is_mutable: bool,
    pub primary_sale_happened: bool,
    /// If it is None, the mint's decimals determine the token standard.
    pub token_standard: Option<u8>,
    pub collection_details: Option<(u8, u64)>,
}

impl Make<'_> {
    /// Transfers rent and fee from the payer. The fee stays in the account, whose last byte tells so.
    #[inline(never)]
    pub fn pay(&self) -> Result {
        require(self.metadata.data_len() == 0, EXPECTED_UNINITIALIZED_ACCOUNT)?;
        let rent = Rent::get()?;
        let lamports = rent.minimum_balance(LEN) + rent.minimum_balance(FEE_BYTES) + FEE_LAMPORTS;
        system::Transfer { from: self.payer, to: self.metadata, lamports }.invoke(&[])
    }

    /// Checks the accounts and the content, and creates the metadata account.
    #[inline(never)]
    pub fn run(&self, content: &Content) -> Result {
        let decimals = self.check_mint()?;
        self.allocate()?;
        let signer = self.update_authority;
        let signer = if signer.is_signer() { Some(signer.address()) } else { None };
        checks::check_data(&content.fields, None, signer)?;
        checks::check_uses(content.fields.uses, None)?;
        checks::check_collection(None, content.fields.collection)?;
        let by_decimals = if decimals == 0 { FUNGIBLE_ASSET } else { FUNGIBLE };
        Metadata {
            update_authority: *self.update_authority.address(),
            mint: *self.mint.address(),
            fields: content.fields,
            primary_sale_happened: content.primary_sale_happened,
            is_mutable: content.is_mutable,
            edition_bump: Some(self.edition_bump()?),
            token_standard: Some(content.token_standard.unwrap_or(by_decimals)),
            // A new collection has no members, whatever size the instruction passes.
            collection_details: content.collection_details.map(|(version, _)| (version, 0)),
        }
        .store(self.metadata)?;
        bytes::put(&mut self.metadata.data_mut()?, LEN - 1, &[1])
    }

    /// Checks that the mint's authority signs, and returns the mint's decimals.
    #[inline(never)]
    fn check_mint(&self) -> Result<u8> {
        let data = self.mint.data()?;
        let mut from = Reader::new(&data);
        let (tag, address) = from.u32().zip(from.address()).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        let authority = match tag {
            0 => None,
            1 => Some(address),
            _ => return Err(ProgramError::INVALID_ACCOUNT_DATA),
        };
        require(authority.as_ref() == Some(self.mint_authority.address()), INVALID_MINT_AUTHORITY)?;
        require(self.mint_authority.is_signer(), NOT_MINT_AUTHORITY)?;
        require(PROGRAMS.contains(&self.mint.owner()), INCORRECT_OWNER)?;
        data.get(DECIMALS_OFFSET).copied().ok_or(ProgramError::INVALID_ACCOUNT_DATA)
    }

    #[inline(never)]
    fn allocate(&self) -> Result {
        let mint = &self.mint.address().0;
        let (expected, bump) = addresses::find_metadata(self.mint.address(), self.program)?;
        require(*self.metadata.address() == expected, INVALID_METADATA_KEY)?;
        system::Create { payer: self.payer, account: self.metadata, space: LEN, owner: self.program }
            .invoke(&[&[PREFIX, &self.program.0, mint, &[bump]]])
    }

    #[inline(never)]
    fn edition_bump(&self) -> Result<u8> {
        Ok(addresses::find_edition(self.mint.address(), self.program)?.1)
    }
}
