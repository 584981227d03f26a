//! The instruction that sets a pool's status.

use crate::checks;
use crate::keys::ADMIN;
use crate::state::pool::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

/// Argument: the new status. Its bits turn deposits, withdrawals and swaps off. Signed by the admin.
pub fn update(accounts: &[Account], args: &[u8]) -> Result {
    let status = *args.first().ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    let (&[authority, pool], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    checks::pool(pool)?;
    anchor::check_address(authority, &ADMIN, "authority")?;
    anchor::check_writable(pool, "pool_state")?;

    let mut pool = Pool::new(pool.data_mut()?);
    pool.set_status(status);
    pool.set_recent_epoch(Clock::get()?.epoch)
}
