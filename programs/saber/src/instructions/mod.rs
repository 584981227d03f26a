//! The instructions. The admin's instructions share their accounts and checks, so they stand in one file.

pub mod admin;
pub mod deposit;
pub mod initialize;
pub mod swap;
pub mod withdraw;
pub mod withdraw_one;

use crate::error::CALCULATION_FAILURE;
use crate::state::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::Result;

/// Returns the pool's amplification at the present time.
fn amplification(pool: &Pool) -> Result<u64> {
    let now = Clock::get()?.unix_timestamp;
    pool.amplification.at(now).ok_or(CALCULATION_FAILURE)
}
