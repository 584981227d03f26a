//! `RampA`: lets the amplification move to another value over time.

use crate::error::{CALCULATION_FAILURE, INSUFFICIENT_RAMP_TIME, INVALID_INPUT, RAMP_LOCKED};
use crate::instructions::amplification;
use crate::instructions::initialize::{MAX_AMPLIFICATION, MIN_AMPLIFICATION};
use crate::state::Pool;
use sluice_program::math::checked_mul;
use sluice_program::sysvar::Clock;
use sluice_program::Result;

const MIN_RAMP_SECONDS: i64 = 86_400;

/// One ramp may multiply or divide the amplification by this at most.
const MAX_RAMP_FACTOR: u64 = 10;

/// Fails with InvalidInput if the target is out of range or too far away, with RampLocked within a day of the last
/// ramp's start, and with InsufficientRampTime if the ramp would take less than a day.
pub fn begin_ramp(pool: &mut Pool, target: u64, stop: i64) -> Result {
    if !(MIN_AMPLIFICATION..=MAX_AMPLIFICATION).contains(&target) {
        return Err(INVALID_INPUT);
    }
    let now = Clock::get()?.unix_timestamp;
    let unlocked = pool.amplification.start.checked_add(MIN_RAMP_SECONDS).ok_or(CALCULATION_FAILURE)?;
    if now < unlocked {
        return Err(RAMP_LOCKED);
    }
    if stop < now.checked_add(MIN_RAMP_SECONDS).ok_or(CALCULATION_FAILURE)? {
        return Err(INSUFFICIENT_RAMP_TIME);
    }
    let current = amplification(pool)?;
    let (low, high) = if target < current { (target, current) } else { (current, target) };
    if high > checked_mul(low, MAX_RAMP_FACTOR).ok_or(CALCULATION_FAILURE)? {
        return Err(INVALID_INPUT);
    }
    pool.amplification.initial = current;
    pool.amplification.target = target;
    pool.amplification.start = now;
    pool.amplification.stop = stop;
    Ok(())
}
