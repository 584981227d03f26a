//! Checks that both instructions make.

use crate::error::WRONG_FEE_TOKEN_ACCOUNT;
use crate::keys::{FEE_SEED, PROGRAM};
use sluice_program::{Account, Address, ProgramError, Result};

/// Returns the first `N` accounts and the rest. Fails with NotEnoughAccountKeys if there are fewer.
pub fn take<'s, 'a, const N: usize>(
    accounts: &'s [Account<'a>],
) -> Result<(&'s [Account<'a>; N], &'s [Account<'a>])> {
    accounts.split_first_chunk().ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)
}

/// Checks that `account` is the token account in which this program keeps its fees of `mint`, and returns its bump.
pub fn fee_account(account: Account, mint: Account) -> Result<u8> {
    let (expected, bump) = Address::find(&[FEE_SEED, mint.address().as_ref()], &PROGRAM)?;
    if *account.address() == expected {
        Ok(bump)
    } else {
        Err(WRONG_FEE_TOKEN_ACCOUNT)
    }
}

/// Checks that `account` stands at `expected`. Fails with `error` otherwise.
pub fn is(account: Account, expected: &Address, error: ProgramError) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(error)
    }
}
