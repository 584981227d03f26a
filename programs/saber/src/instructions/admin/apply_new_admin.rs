//! `ApplyNewAdmin`: makes the announced admin the admin.

use crate::error::{ADMIN_DEADLINE_EXCEEDED, NO_ACTIVE_TRANSFER};
use crate::state::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::{Address, Result};

/// Fails with NoActiveTransfer if no admin was announced, and with AdminDeadlineExceeded after three days.
pub fn apply_new_admin(pool: &mut Pool) -> Result {
    if pool.future_admin_deadline == 0 {
        return Err(NO_ACTIVE_TRANSFER);
    }
    if Clock::get()?.unix_timestamp > pool.future_admin_deadline {
        return Err(ADMIN_DEADLINE_EXCEEDED);
    }
    pool.admin = pool.future_admin;
    pool.future_admin = Address::ZERO;
    pool.future_admin_deadline = 0;
    Ok(())
}
