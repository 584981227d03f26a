//! A base fee that falls by periods.

use super::BPS;
use crate::error::MATH_OVERFLOW;
use sluice_program::math::{checked_mul, widening_mul};
use sluice_program::wide;
use sluice_program::Result;

/// The initial fee, the number of its reductions, and their size.
#[derive(Clone, Copy)]
pub struct Schedule {
    pub cliff: u64,
    pub periods: u16,
    /// A fee rate, or with `by_share` basis points of the present fee.
    pub reduction: u64,
    pub by_share: bool,
}

impl Schedule {
    /// Returns the fee after `passed` periods. Periods after the last reduction do not count.
    #[inline(never)]
    pub fn after(&self, passed: u64) -> Result<u64> {
        let passed = passed.min(self.periods as u64);
        if self.by_share {
            return self.after_shares(passed);
        }
        let fallen = checked_mul(self.reduction, passed).ok_or(MATH_OVERFLOW)?;
        self.cliff.checked_sub(fallen).ok_or_else(|| MATH_OVERFLOW.into())
    }

    /// Returns cliff × (1 − reduction / 10000) ^ passed. Each factor is a Q64.64 that is rounded down.
    #[inline(never)]
    fn after_shares(&self, passed: u64) -> Result<u64> {
        if self.reduction == 0 {
            return Ok(self.cliff);
        }
        let fallen = wide::div_floor(wide::join(self.reduction, 0), BPS as u128).ok_or(MATH_OVERFLOW)?;
        let one = wide::join(1, 0);
        // The factor is below one, because the reduction is not zero.
        let (_, mut factor) = wide::split(one.checked_sub(fallen).ok_or(MATH_OVERFLOW)?);
        // None means 1, which does not fit.
        let mut power: Option<u64> = None;
        let mut exponent = passed;
        while exponent != 0 {
            if exponent & 1 != 0 {
                power = Some(power.map_or(factor, |power| high(power, factor)));
            }
            factor = high(factor, factor);
            exponent >>= 1;
        }
        match power {
            None => Ok(self.cliff),
            Some(0) => Err(MATH_OVERFLOW.into()),
            Some(power) => Ok(high(power, self.cliff)),
        }
    }
}

fn high(a: u64, b: u64) -> u64 {
    wide::split(widening_mul(a, b)).0
}
