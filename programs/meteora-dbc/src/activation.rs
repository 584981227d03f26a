//! The points (slots or Unix seconds) in which a pool counts time.

use crate::error::INVALID_ACTIVATION_TYPE;
use sluice_program::sysvar::Clock;
use sluice_program::Result;

pub const SLOT: u8 = 0;
pub const SECOND: u8 = 1;

/// Returns the present point. Fails with InvalidActivationType if the kind is neither 0 (slots) nor 1 (seconds).
#[inline(never)]
pub fn get_point(kind: u8) -> Result<u64> {
    let clock = Clock::get()?;
    match kind {
        SLOT => Ok(clock.slot),
        SECOND => Ok(clock.unix_timestamp as u64),
        _ => Err(INVALID_ACTIVATION_TYPE.into()),
    }
}
