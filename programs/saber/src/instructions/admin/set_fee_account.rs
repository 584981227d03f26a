//! `SetFeeAccount`: sets the account that receives the admin's fees of one token.

use crate::checks;
use crate::error::INVALID_ADMIN;
use crate::state::Pool;
use sluice_program::{Account, Result};

/// Sets the account that receives the admin's fees. Its mint tells which of the two tokens it is for.
#[inline(never)]
pub fn set_fee_account(pool: &mut Pool, account: Account) -> Result {
    let mint = checks::tokens(account)?.mint;
    let side = pool.mints.iter().position(|each| *each == mint).ok_or(INVALID_ADMIN)?;
    pool.admin_fees[side] = *account.address();
    Ok(())
}
