//! Checks of accounts that several instructions make.

use crate::error::{EXPECTED_ACCOUNT, EXPECTED_MINT, INVALID_PROGRAM_ADDRESS};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, ProgramError, Result};

/// Returns the first `N` accounts. Fails with NotEnoughAccountKeys if there are fewer.
pub fn take<'s, 'a, const N: usize>(accounts: &'s [Account<'a>]) -> Result<&'s [Account<'a>; N]> {
    accounts.first_chunk().ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)
}

/// Checks that `given` is the authority which the pool's address derives with the bump `nonce`. Fails with
/// InvalidProgramAddress otherwise.
pub fn authority(program: &Address, pool: Account, nonce: u8, given: Account) -> Result {
    let expected = Address::derive(&[pool.address().as_ref(), &[nonce]], program)
        .map_err(|_| INVALID_PROGRAM_ADDRESS)?;
    is(given, &expected, INVALID_PROGRAM_ADDRESS)
}

/// Checks that `account` stands at `expected`. Fails with `error` otherwise.
pub fn is(account: Account, expected: &Address, error: ProgramError) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(error)
    }
}

/// The fields of a token account. Its owning program is not checked here: the token calls that follow fail if the
/// account belongs to another program.
pub struct Tokens {
    pub mint: Address,
    pub owner: Address,
    pub amount: u64,
    pub has_delegate: bool,
    pub has_close_authority: bool,
}

/// The fields of a mint. Its owning program is not checked, as for [`Tokens`].
pub struct Mint {
    pub authority: Option<Address>,
    pub supply: u64,
    pub decimals: u8,
    pub has_freeze_authority: bool,
}

const TOKENS_LEN: usize = 165;
const MINT_LEN: usize = 82;

/// Reads a token account. Fails with ExpectedAccount if the data is no initialized token account of 165 bytes.
#[inline(never)]
pub fn tokens(account: Account) -> Result<Tokens> {
    let data = account.data()?;
    if data.len() != TOKENS_LEN {
        return Err(EXPECTED_ACCOUNT);
    }
    read_tokens(&data).ok_or(EXPECTED_ACCOUNT)
}

fn read_tokens(data: &[u8]) -> Option<Tokens> {
    let mut from = Reader::new(data);
    let (mint, owner, amount) = (from.address()?, from.address()?, from.u64()?);
    let has_delegate = option(&mut from)?;
    from.address()?;
    // The state 0 is an account that was never initialized, 2 is a frozen one.
    let usable = matches!(from.u8()?, 1 | 2);
    let _native = option(&mut from)?;
    from.bytes(16)?;
    let has_close_authority = option(&mut from)?;
    if usable {
        Some(Tokens { mint, owner, amount, has_delegate, has_close_authority })
    } else {
        None
    }
}

/// Reads a mint. Fails with ExpectedMint if the data is no initialized mint of 82 bytes.
#[inline(never)]
pub fn mint(account: Account) -> Result<Mint> {
    let data = account.data()?;
    if data.len() != MINT_LEN {
        return Err(EXPECTED_MINT);
    }
    read_mint(&data).ok_or(EXPECTED_MINT)
}

fn read_mint(data: &[u8]) -> Option<Mint> {
    let mut from = Reader::new(data);
    let has_authority = option(&mut from)?;
    let authority = from.address()?;
    let supply = from.u64()?;
    let decimals = from.u8()?;
    let initialized = from.bool()?;
    let has_freeze_authority = option(&mut from)?;
    if !initialized {
        return None;
    }
    Some(Mint { authority: has_authority.then_some(authority), supply, decimals, has_freeze_authority })
}

/// Reads the tag of an optional field, which the token program stores as a u32 that is 0 or 1.
fn option(from: &mut Reader) -> Option<bool> {
    match from.u32()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}
