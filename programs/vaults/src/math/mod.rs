//! Checked arithmetic on the program's amounts, and their scales.

pub mod amount;
pub mod factor;
pub mod tick;

use crate::error::{LIBRARY_CASTING, LIBRARY_DIVISION_BY_ZERO, LIBRARY_MATH, LIBRARY_U256_DOWN_CAST};
use sluice_program::wide::{self, U256};
use sluice_program::{math, Result};

/// The exchange price 1.0.
pub const PRICE_ONE: u128 = 1_000_000_000_000;
/// The rate 1.0 of an oracle, and of collateral per debt.
pub const RATE_ONE: u128 = 1_000_000_000_000_000;
/// The ratio 1.0 of raw debt to raw collateral.
pub const RATIO_ONE: u128 = 1 << 48;
/// 100 percent of fees, penalties and magnifiers.
pub const WHOLE: u128 = 10_000;
/// 100 percent of factors, thresholds and gaps.
pub const THOUSAND: u128 = 1_000;
/// A debt grows by its part in this many for rounding. A liquidation must take at least the same part of all debt.
pub const BILLION: u128 = 1_000_000_000;

/// Fails with LibraryMathError if the sum exceeds u128.
pub fn add(a: u128, b: u128) -> Result<u128> {
    a.checked_add(b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Fails with LibraryMathError if the difference is below zero.
pub fn sub(a: u128, b: u128) -> Result<u128> {
    a.checked_sub(b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Fails with LibraryMathError if the product exceeds u128.
#[inline(never)]
pub fn mul(a: u128, b: u128) -> Result<u128> {
    wide::checked_mul(a, b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Divides and rounds down. Fails with LibraryMathError if the divisor is zero.
#[inline(never)]
pub fn div(a: u128, b: u128) -> Result<u128> {
    wide::div_floor(a, b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Divides and rounds up. Fails with LibraryMathError if the divisor is zero.
#[inline(never)]
pub fn div_up(a: u128, b: u128) -> Result<u128> {
    wide::div_ceil(a, b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Returns floor(a × b / divisor), computed with a 256-bit product, and the remainder. Fails with
/// LibraryDivisionByZero if the divisor is zero, and with LibraryU256NumberDownCastError if the quotient exceeds u128.
#[inline(always)]
pub fn mul_div_rem(a: u128, b: u128, divisor: u128) -> Result<(u128, u128)> {
    mul_div_parts(&[a, b, divisor])
}

/// Returns floor(a × b / divisor), computed with a 256-bit product. Fails as [`mul_div_rem`] does.
#[inline(always)]
pub fn mul_div(a: u128, b: u128, divisor: u128) -> Result<u128> {
    mul_div_parts(&[a, b, divisor]).map(|(quotient, _)| quotient)
}

/// The numbers are passed by reference, because a function on chain cannot take three of 128 bits.
#[inline(never)]
fn mul_div_parts(&[a, b, divisor]: &[u128; 3]) -> Result<(u128, u128)> {
    let (quotient, rest) = U256::product(a, b).div_rem(divisor).ok_or(LIBRARY_DIVISION_BY_ZERO)?;
    let quotient = quotient.narrow().ok_or(LIBRARY_U256_DOWN_CAST)?;
    Ok((quotient, rest))
}

/// Fails with LibraryCastingFailure if the value exceeds u64.
pub fn narrow(value: u128) -> Result<u64> {
    math::narrow(value).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Fails with LibraryCastingFailure if the value exceeds i128.
pub fn signed(value: u128) -> Result<i128> {
    i128::try_from(value).map_err(|_| LIBRARY_CASTING.into())
}
