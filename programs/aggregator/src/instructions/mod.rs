//! The instructions.

pub mod claim;
pub mod route_v1;
pub mod route_v2;
pub mod token_account;
pub mod token_ledger;

use crate::keys::PROGRAM;
use sluice_program::{Account, ProgramError, Result};

/// Returns the first `N` accounts and the rest. Fails with NotEnoughAccountKeys if there are fewer.
fn fixed<'s, 'a, const N: usize>(
    accounts: &'s [Account<'a>],
) -> Result<(&'s [Account<'a>; N], &'s [Account<'a>])> {
    accounts.split_first_chunk().ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)
}

/// Returns None if the account is the program itself, which stands for an absent account.
fn optional(account: Account) -> Option<Account> {
    if *account.address() == PROGRAM {
        None
    } else {
        Some(account)
    }
}
