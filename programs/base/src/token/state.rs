//! The accounts of both token programs.

use crate::account::Account;
use crate::address::Address;
use crate::anchor;
use crate::bytes::{self, Reader};
use crate::error::{ProgramError, Result};
use crate::token::PROGRAMS;

/// The length of a mint without extensions, and of the common part of one with extensions.
pub const MINT_LEN: usize = 82;
/// The length of a token account without extensions, and of the common part of one with extensions.
pub const ACCOUNT_LEN: usize = 165;
/// Token-2022 pads mints to the length of token accounts. The byte after that marks the type of the account.
const TYPE_OFFSET: usize = ACCOUNT_LEN;
const TYPE_MINT: u8 = 1;
const TYPE_ACCOUNT: u8 = 2;
/// An account of this length is always a multisig.
const MULTISIG_LEN: usize = 355;

/// The fields of a mint.
#[derive(Clone, Copy)]
pub struct Mint {
    pub mint_authority: Option<Address>,
    pub supply: u64,
    pub decimals: u8,
    pub freeze_authority: Option<Address>,
}

/// The fields of a token account.
#[derive(Clone, Copy)]
pub struct TokenAccount {
    pub mint: Address,
    pub owner: Address,
    pub amount: u64,
    pub frozen: bool,
    /// The rent reserve of a wrapped SOL account.
    pub native: Option<u64>,
}

impl Mint {
    /// Reads the mint from an account of either token program.
    ///
    /// Fails with AccountOwnedByWrongProgram, AccountNotInitialized, InvalidAccountData or UninitializedAccount, and
    /// logs `name` with the error.
    pub fn load(account: Account, name: &str) -> Result<Self> {
        anchor::check_owner(account, &PROGRAMS, name)?;
        let data = account.data()?;
        let mint = if fits(&data, MINT_LEN) { Self::decode(&data) } else { None };
        let mint = mint.ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        check_kind(&data, MINT_LEN, data[45] != 0, TYPE_MINT)?;
        Ok(mint)
    }

    fn decode(data: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(data);
        let mint_authority = optional_address(&mut reader)?;
        let supply = reader.u64()?;
        let decimals = reader.u8()?;
        let _initialized = reader.bool()?;
        let freeze_authority = optional_address(&mut reader)?;
        Some(Self { mint_authority, supply, decimals, freeze_authority })
    }
}

impl TokenAccount {
    /// Reads the token account from an account of either token program. The errors are those of [`Mint::load`].
    pub fn load(account: Account, name: &str) -> Result<Self> {
        anchor::check_owner(account, &PROGRAMS, name)?;
        let data = account.data()?;
        let holding = if fits(&data, ACCOUNT_LEN) { Self::decode(&data) } else { None };
        let holding = holding.ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
        check_kind(&data, ACCOUNT_LEN, data[108] != 0, TYPE_ACCOUNT)?;
        Ok(holding)
    }

    fn decode(data: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(data);
        let mint = reader.address()?;
        let owner = reader.address()?;
        let amount = reader.u64()?;
        skip_optional(&mut reader, 32)?;
        let frozen = match reader.u8()? {
            // Zero is the state of an uninitialized account, for which `load` has an error of its own.
            0 | 1 => false,
            2 => true,
            _ => return None,
        };
        let (native_tag, native) = (reader.u32()?, reader.u64()?);
        let native = match native_tag {
            0 => None,
            1 => Some(native),
            _ => return None,
        };
        let _delegated_amount = reader.u64()?;
        skip_optional(&mut reader, 32)?;
        Some(Self { mint, owner, amount, frozen, native })
    }
}

/// Returns the balance of a token account that was loaded before, for reading it again after a call.
pub fn amount_of(account: Account) -> Result<u64> {
    bytes::u64_at(&account.data()?, 64).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
}

/// Returns whether the data is long enough for the common part and does not belong to a multisig.
fn fits(data: &[u8], len: usize) -> bool {
    data.len() >= len && data.len() != MULTISIG_LEN
}

/// Checks what follows the fields. Fails with UninitializedAccount, or with InvalidAccountData if the account is of
/// another type.
fn check_kind(data: &[u8], len: usize, initialized: bool, kind: u8) -> Result {
    if !initialized {
        return Err(ProgramError::UNINITIALIZED_ACCOUNT);
    }
    let plain = data.len() == len;
    if plain || data.get(TYPE_OFFSET) == Some(&kind) {
        Ok(())
    } else {
        Err(ProgramError::INVALID_ACCOUNT_DATA)
    }
}

/// Skips an optional field of that length, whose tag must be 0 or 1.
#[inline(always)]
fn skip_optional(reader: &mut Reader, len: usize) -> Option<()> {
    if reader.u32()? > 1 {
        return None;
    }
    reader.bytes(len).map(|_| ())
}

/// Reads an optional address of the token programs: a u32 that is 0 or 1, and 32 bytes in either case.
fn optional_address(reader: &mut Reader) -> Option<Option<Address>> {
    let tag = reader.u32()?;
    let address = reader.address()?;
    match tag {
        0 => Some(None),
        1 => Some(Some(address)),
        _ => None,
    }
}
