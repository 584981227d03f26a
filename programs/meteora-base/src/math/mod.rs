//! The arithmetic of pools. Prices are Q64.64 square roots of token A's price in atoms of token B; liquidity is scaled so
//! that amount = liquidity × difference of root prices / 2^128.

pub mod amount;
pub mod long_division;
pub mod price;
pub mod root;

use crate::error::{Wrong, MATH_OVERFLOW};
use sluice_program::math::{div_rem, widening_mul};
use sluice_program::wide::{self, U256};
use sluice_program::Result;

/// The direction in which a quotient is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Up,
    Down,
}

/// Returns a × b / divisor. Fails with Overflow if the divisor is zero, and with Cast if the result exceeds u64.
#[inline(never)]
pub fn mul_div(a: u64, b: u64, divisor: u64, rounding: Rounding) -> core::result::Result<u64, Wrong> {
    if divisor == 0 {
        return Err(Wrong::Overflow);
    }
    let (quotient, remainder) = div_rem(widening_mul(a, b), divisor).ok_or(Wrong::Cast)?;
    let up = rounding == Rounding::Up && remainder != 0;
    quotient.checked_add(up as u64).ok_or(Wrong::Cast)
}

/// Returns the product of the first two divided by the third. Fails with Overflow if the divisor is zero, and with
/// Cast if the result exceeds u64.
#[inline(never)]
pub fn mul_div_wide([a, b, divisor]: &[u128; 3], rounding: Rounding) -> core::result::Result<u64, Wrong> {
    let (quotient, remainder) = U256::product(*a, *b).div_rem(*divisor).ok_or(Wrong::Overflow)?;
    let up = rounding == Rounding::Up && remainder != 0;
    let value = quotient.narrow().and_then(|value| value.checked_add(up as u128));
    value.and_then(sluice_program::math::narrow).ok_or(Wrong::Cast)
}

/// Returns floor(dividend × 2^128 / divisor). Fails with MathOverflow if the divisor is zero.
#[inline(never)]
pub fn shl_128_div(dividend: u64, divisor: u128) -> Result<U256> {
    let (quotient, _) = U256 { high: dividend as u128, low: 0 }.div_rem(divisor).ok_or(MATH_OVERFLOW)?;
    Ok(quotient)
}

/// Returns floor(dividend × 2^64 / divisor). Fails with MathOverflow if the divisor is zero or the result exceeds
/// u128.
#[inline(never)]
pub fn shl_64_div(dividend: u128, divisor: u128) -> Result<u128> {
    let (high, low) = wide::split(dividend);
    let (quotient, _) =
        U256 { high: high as u128, low: wide::join(low, 0) }.div_rem(divisor).ok_or(MATH_OVERFLOW)?;
    quotient.narrow().ok_or_else(|| MATH_OVERFLOW.into())
}
