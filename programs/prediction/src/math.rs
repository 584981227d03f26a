//! Arithmetic that fails with MathOverflow.

use sluice_program::math;
use sluice_program::Result;

use crate::errors::MATH_OVERFLOW;

/// The hundredths of a percent in one.
pub const BPS: u64 = 10_000;

pub fn mul_div_floor(a: u64, b: u64, divisor: u64) -> Result<u64> {
    Ok(math::mul_div_floor(a, b, divisor).ok_or(MATH_OVERFLOW)?)
}

pub fn mul_div_ceil(a: u64, b: u64, divisor: u64) -> Result<u64> {
    Ok(math::mul_div_ceil(a, b, divisor).ok_or(MATH_OVERFLOW)?)
}

/// Returns the sum.
pub fn sum(amounts: &[u64]) -> Result<u64> {
    let mut sum = 0u64;
    for amount in amounts {
        sum = sum.checked_add(*amount).ok_or(MATH_OVERFLOW)?;
    }
    Ok(sum)
}

/// Returns the amount as a number with a sign.
pub fn signed(amount: u64) -> Result<i64> {
    if amount > i64::MAX as u64 {
        return Err(MATH_OVERFLOW.into());
    }
    Ok(amount as i64)
}
