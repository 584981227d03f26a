//! The base fee. It falls with time, or it rises with the amount for some time.

use super::limiter::RateLimiter;
use super::{Amount, Time};
use crate::error::{INVALID_BASE_FEE_MODE, MATH_OVERFLOW};
use crate::state::fees::BaseFee;
use sluice_meteora::fees::Schedule;
use sluice_program::Result;

pub const LINEAR: u8 = 0;
pub const EXPONENTIAL: u8 = 1;
pub const RATE_LIMITER: u8 = 2;

impl BaseFee {
    /// Returns the fee rate in billionths. Fails with InvalidBaseFeeMode if the mode is unknown.
    #[inline(never)]
    pub fn rate(&self, time: &Time, amount: Amount) -> Result<u64> {
        if let Some(limiter) = self.limiter()? {
            return limiter.rate(time, amount);
        }
        let frequency = self.second_factor;
        if frequency == 0 {
            return Ok(self.cliff);
        }
        let passed = time.point.checked_sub(time.activation).ok_or(MATH_OVERFLOW)?;
        self.after(passed / frequency)
    }

    /// Returns the lowest fee rate: that after all periods, or that of small amounts.
    #[inline(never)]
    pub fn minimum(&self) -> Result<u64> {
        match self.limiter()? {
            Some(limiter) => Ok(limiter.cliff),
            None => self.after(self.first_factor as u64),
        }
    }

    /// Returns None if the fee falls with time.
    pub fn limiter(&self) -> Result<Option<RateLimiter>> {
        match self.mode {
            LINEAR | EXPONENTIAL => Ok(None),
            RATE_LIMITER => Ok(Some(RateLimiter::of(self))),
            _ => Err(INVALID_BASE_FEE_MODE.into()),
        }
    }

    fn after(&self, periods: u64) -> Result<u64> {
        let (cliff, reduction, by_share) = (self.cliff, self.third_factor, self.mode == EXPONENTIAL);
        Schedule { cliff, periods: self.first_factor, reduction, by_share }.after(periods)
    }
}
