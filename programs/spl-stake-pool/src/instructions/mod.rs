//! The instructions.

pub mod deposit_sol;
pub mod initialize;
pub mod update_balance;
pub mod withdraw_sol;

use sluice_program::{Account, ProgramError, Result};

/// Returns the first `N` accounts and the rest. Fails with NotEnoughAccountKeys if there are fewer.
fn take<'s, 'a, const N: usize>(
    accounts: &'s [Account<'a>],
) -> Result<(&'s [Account<'a>; N], &'s [Account<'a>])> {
    accounts.split_first_chunk().ok_or(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS)
}
