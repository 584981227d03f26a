use crate::error::WRONG_FEE_TOKEN_ACCOUNT;
use crate::keys::{FEE_SEED, PROGRAM};
use sluice_program::{Account, Address, ProgramError, Result};

/// The first `N` accounts and the rest; NotEnoughAccountKeys when there are fewer.
pub fn take<'s, 'a, const N: usize>(
    accounts: &'s [Account<'a>],
) -> Result<(&'s [Account<'a>; N], &'s [Account<'a>])> {
    accounts.split_first_chunk().ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)
}

/// The bump of the account in which this program keeps its fees in the mint.
pub fn fee_account(account: Account, mint: Account) -> Result<u8> {
    let (expected, bump) = Address::find(&[FEE_SEED, mint.address().as_ref()], &PROGRAM)?;
    if *account.address() == expected {
        Ok(bump)
    } else {
        Err(WRONG_FEE_TOKEN_ACCOUNT)
    }
}

pub fn is(account: Account, expected: &Address, error: ProgramError) -> Result {
    if account.address() == expected {
        Ok(())
    } else {
        Err(error)
    }
}
