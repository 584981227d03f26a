//! What a cycle trades, what it may pay, and when the next one is due.

use sluice_program::{math, Result};

use crate::errors::{MATH_ERRORS, SWAP_OUT_LESS_THAN_USER_MINIMUM, SWAP_OUT_MORE_THAN_USER_MAXIMUM};
use crate::state::Dca;

/// The fee in hundredths of a percent of what a swap pays.
const FEE_BPS: u64 = 10;
const BPS: u64 = 10_000;

/// Returns the fee on what a swap paid, rounded up. Fails with MathErrors for no amount: it cannot overflow.
pub fn fee_on(paid: u64) -> Result<u64> {
    Ok(math::mul_div_ceil(paid, FEE_BPS, BPS).ok_or(MATH_ERRORS)?)
}

impl Dca {
    /// Returns what the next cycle trades: `in_amount_per_cycle`, or what is left if that is less.
    ///
    /// An amount that was divided into n cycles leaves a rest of fewer than n atoms, which no swap could trade by itself.
    /// The last whole cycle takes it along.
    pub fn cycle_amount(&self) -> Result<u64> {
        let (left, cycle) = (self.in_left()?, self.in_amount_per_cycle);
        if cycle == 0 || left <= cycle {
            return Ok(left);
        }
        let rest = left - cycle;
        let cycles = (self.in_deposited - self.in_withdrawn) / cycle;
        Ok(if rest < cycle && rest < cycles { left } else { cycle })
    }

    /// Checks what a cycle of `amount` brought to the user. The bounds are those of a whole cycle, so that a smaller one
    /// has the same prices. Both are rounded up: the least in the user's favour, and the most so that it is never zero.
    /// Fails with SwapOutLessThanUserMinimum, SwapOutMoreThanUserMaximum or MathErrors.
    pub fn check_bounds(&self, amount: u64, received: u64) -> Result {
        if self.min_out_amount > 0 && received < self.scale(self.min_out_amount, amount)? {
            return Err(SWAP_OUT_LESS_THAN_USER_MINIMUM.into());
        }
        if self.max_out_amount > 0 && received > self.scale(self.max_out_amount, amount)? {
            return Err(SWAP_OUT_MORE_THAN_USER_MAXIMUM.into());
        }
        Ok(())
    }

    fn scale(&self, bound: u64, amount: u64) -> Result<u64> {
        Ok(math::mul_div_ceil(bound, amount, self.in_amount_per_cycle).ok_or(MATH_ERRORS)?)
    }

    /// Returns when the next cycle is due after one that was filled at `now`: at the first time of the order's schedule
    /// after `now`. Cycles that were missed come later, never several at once. Fails with MathErrors if no cycle was due
    /// or the frequency is not positive.
    pub fn due_after(&self, now: i64) -> Result<i64> {
        let late = now.checked_sub(self.next_cycle_at).filter(|late| *late >= 0).ok_or(MATH_ERRORS)? as u64;
        if self.cycle_frequency <= 0 {
            return Err(MATH_ERRORS.into());
        }
        let frequency = self.cycle_frequency as u64;
        let wait = frequency - late % frequency;
        Ok(now.saturating_add(wait as i64))
    }
}
