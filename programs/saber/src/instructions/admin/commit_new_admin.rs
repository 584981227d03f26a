//! `CommitNewAdmin`: announces a new admin.

use crate::error::{ACTIVE_TRANSFER, CALCULATION_FAILURE};
use crate::state::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::{Account, Result};

/// Three days.
const ADMIN_TRANSFER_DELAY: i64 = 259_200;

/// Announces a new admin. The present admin must confirm the change within three days.
pub fn commit_new_admin(pool: &mut Pool, new_admin: Account) -> Result {
    let now = Clock::get()?.unix_timestamp;
    if now < pool.future_admin_deadline {
        return Err(ACTIVE_TRANSFER);
    }
    pool.future_admin = *new_admin.address();
    pool.future_admin_deadline = now.checked_add(ADMIN_TRANSFER_DELAY).ok_or(CALCULATION_FAILURE)?;
    Ok(())
}
