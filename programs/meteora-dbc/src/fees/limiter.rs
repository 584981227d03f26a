//! The fee that rises with the amount of a purchase, so that snipers pay more.
//!
//! The first part of the reference amount costs the lowest rate, and each further one an increment more, up to the
//! maximum rate. The rate of a swap is the mean of those of its parts.

use super::{gross_of, within, Amount, Time};
use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED, UNDETERMINED_ERROR};
use crate::keys::{FEE_DENOMINATOR, MAX_FEE};
use crate::state::fees::BaseFee;
use sluice_meteora::math::root::square_root;
use sluice_program::math::{checked_mul, mul_div_ceil, narrow, widening_mul};
use sluice_program::wide::{self, U256};
use sluice_program::Result;

/// A fee rate of one basis point.
const BASIS_POINT: u64 = 100_000;

/// The parameters of the fee.
pub struct RateLimiter {
    pub cliff: u64,
    pub increment_bps: u16,
    /// The slots or seconds from the activation on.
    pub duration: u64,
    pub reference: u64,
}

/// The amount from which on every further part costs the maximum rate.
struct Top {
    with_fee: u64,
    without_fee: u64,
    /// Whether the amount exceeds u64 and was cut.
    is_cut: bool,
}

impl RateLimiter {
    /// Returns the parameters out of the fields of a base fee.
    pub fn of(fee: &BaseFee) -> Self {
        Self {
            cliff: fee.cliff,
            increment_bps: fee.first_factor,
            duration: fee.second_factor,
            reference: fee.third_factor,
        }
    }

    /// Returns whether the fee rises with the amount of a swap at this time.
    pub fn is_on(&self, time: &Time) -> bool {
        let is_set = self.reference != 0 || self.duration != 0 || self.increment_bps != 0;
        let last = time.activation as u128 + self.duration as u128;
        is_set && time.is_purchase && time.point as u128 <= last
    }

    /// Returns the fee rate in billionths.
    #[inline(never)]
    pub fn rate(&self, time: &Time, amount: Amount) -> Result<u64> {
        if !self.is_on(time) {
            return Ok(self.cliff);
        }
        match amount {
            Amount::WithFee(amount) => self.rate_of_included(amount),
            Amount::WithoutFee(amount) => self.rate_of_excluded(amount),
        }
    }

    /// Returns the fee rate of an amount that contains the fee.
    #[inline(never)]
    pub fn rate_of_included(&self, amount: u64) -> Result<u64> {
        if amount <= self.reference {
            return Ok(self.cliff);
        }
        let fee = self.fee_within(amount)?;
        mul_div_ceil(fee, FEE_DENOMINATOR, amount).ok_or_else(|| TYPE_CAST_FAILED.into())
    }

    /// Returns the fee that is contained in an amount above the reference.
    fn fee_within(&self, amount: u64) -> Result<u64> {
        let beyond = amount.checked_sub(self.reference).ok_or(MATH_OVERFLOW)?;
        let parts = beyond.checked_div(self.reference).ok_or(MATH_OVERFLOW)?;
        let (increment, max_steps) = (self.increment(), self.max_steps()?);
        let steps = parts.min(max_steps);
        let count = steps + 1;
        // Rates are below 2^30 and steps below 2^14, so that the products fit u64.
        let risen = increment.wrapping_mul(steps).wrapping_mul(count) / 2;
        let rates = self.cliff.wrapping_mul(count) + risen;
        let at_steps = checked_mul(steps, self.reference).ok_or(MATH_OVERFLOW)?;
        let rest = beyond.checked_sub(at_steps).ok_or(MATH_OVERFLOW)?;
        let last_rate = if parts < max_steps { self.cliff + increment.wrapping_mul(count) } else { MAX_FEE };
        let sum = widening_mul(self.reference, rates).checked_add(widening_mul(rest, last_rate));
        let fee = wide::div_ceil(sum.ok_or(MATH_OVERFLOW)?, FEE_DENOMINATOR as u128);
        fee.and_then(narrow).ok_or_else(|| TYPE_CAST_FAILED.into())
    }

    /// Returns the fee rate of an amount that remains after the fee. It can differ from that of the amount with the
    /// fee, because the rate is rounded.
    #[inline(never)]
    fn rate_of_excluded(&self, amount: u64) -> Result<u64> {
        if amount <= self.without_fee(self.reference)? {
            return Ok(self.cliff);
        }
        let top = self.top()?;
        if amount == top.without_fee {
            return self.rate_of_included(top.with_fee);
        }
        let with_fee = if amount < top.without_fee {
            self.with_fee_below_top(amount)?
        } else if top.is_cut {
            return Err(MATH_OVERFLOW.into());
        } else {
            let rest = gross_of(amount - top.without_fee, MAX_FEE)?;
            rest.checked_add(top.with_fee).ok_or(MATH_OVERFLOW)?
        };
        let fee = with_fee.checked_sub(amount).ok_or(MATH_OVERFLOW)?;
        let rate = mul_div_ceil(fee, FEE_DENOMINATOR, with_fee).ok_or(TYPE_CAST_FAILED)?;
        if rate < self.cliff {
            return Err(UNDETERMINED_ERROR.into());
        }
        Ok(rate)
    }

    /// Returns the amount with the fee for one without it. With the reference r, the lowest rate c, the increment i
    /// and the denominator d, the whole parts x of the amount solve `i·x² − (2d + i − 2c)·r·x + 2·d·r·amount = 0`.
    #[inline(never)]
    fn with_fee_below_top(&self, amount: u64) -> Result<u64> {
        let (increment, reference) = (self.increment(), self.reference);
        let cliffs = self.cliff.checked_add(self.cliff).ok_or(MATH_OVERFLOW)?;
        let slope = (2 * FEE_DENOMINATOR + increment).checked_sub(cliffs).ok_or(MATH_OVERFLOW)?;
        let linear = widening_mul(reference, slope);
        let constant = widening_mul(amount, reference);
        let subtrahend = U256::product(constant, widening_mul(increment, 8 * FEE_DENOMINATOR));
        let discriminant = U256::product(linear, linear).checked_sub(subtrahend).ok_or(MATH_OVERFLOW)?;
        let twice = linear.checked_sub(square_root(&discriminant)).ok_or(MATH_OVERFLOW)?;
        let whole = wide::div_floor(twice, (increment as u128) << 1).ok_or(MATH_OVERFLOW)?;
        let whole = narrow(whole).ok_or(TYPE_CAST_FAILED)?;
        let steps = whole.checked_div(reference).ok_or(MATH_OVERFLOW)?;

        let rest = amount.checked_sub(self.without_fee(whole)?).ok_or(MATH_OVERFLOW)?;
        let risen = checked_mul(increment, steps).and_then(|risen| risen.checked_add(self.cliff));
        let rest = gross_of(rest, risen.ok_or(TYPE_CAST_FAILED)?)?;
        whole.checked_add(rest).ok_or_else(|| TYPE_CAST_FAILED.into())
    }

    fn top(&self) -> Result<Top> {
        let with_fee = widening_mul(self.max_steps()? + 1, self.reference);
        let (with_fee, is_cut) = match narrow(with_fee) {
            Some(with_fee) => (with_fee, false),
            None => (u64::MAX, true),
        };
        Ok(Top { with_fee, without_fee: self.without_fee(with_fee)?, is_cut })
    }

    /// Returns what remains of an amount after the fee.
    #[inline(never)]
    fn without_fee(&self, amount: u64) -> Result<u64> {
        let fee = within(amount, self.rate_of_included(amount)?)?;
        amount.checked_sub(fee).ok_or_else(|| MATH_OVERFLOW.into())
    }

    /// Returns the increment as a fee rate.
    fn increment(&self) -> u64 {
        (self.increment_bps as u64).wrapping_mul(BASIS_POINT)
    }

    /// Returns how often the rate rises until it is the maximum.
    fn max_steps(&self) -> Result<u64> {
        let room = MAX_FEE.checked_sub(self.cliff).ok_or(MATH_OVERFLOW)?;
        room.checked_div(self.increment()).ok_or_else(|| MATH_OVERFLOW.into())
    }
}
