//! `StopRampA`: keeps the amplification at its present value.

use crate::instructions::amplification;
use crate::state::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::Result;

/// Ends the ramp at the present value and time.
pub fn stop_ramp(pool: &mut Pool) -> Result {
    let current = amplification(pool)?;
    let now = Clock::get()?.unix_timestamp;
    pool.amplification.initial = current;
    pool.amplification.target = current;
    pool.amplification.start = now;
    pool.amplification.stop = now;
    Ok(())
}
