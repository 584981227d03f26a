//! Checked arithmetic on the program's amounts, and the scale that they have.

pub mod amount;
pub mod factor;
pub mod tick;

use crate::error::{LIBRARY_CASTING, LIBRARY_DIVISION_BY_ZERO, LIBRARY_MATH, LIBRARY_U256_DOWN_CAST};
use sluice_program::wide::{self, U256};
use sluice_program::{math, Result};

/// 1.0 of an exchange price.
pub const PRICE_ONE: u128 = 1_000_000_000_000;
/// 1.0 of an oracle's rate, and of collateral per debt.
pub const RATE_ONE: u128 = 1_000_000_000_000_000;
/// 1.0 of a ratio of raw debt to raw collateral.
pub const RATIO_ONE: u128 = 1 << 48;
/// 100 percent of fees, penalties and magnifiers.
pub const WHOLE: u128 = 10_000;
/// 100 percent of factors, thresholds and gaps.
pub const THOUSAND: u128 = 1_000;
/// One part in this many is added to a debt for rounding, and is the least part of all debt to liquidate.
pub const BILLION: u128 = 1_000_000_000;

pub fn add(a: u128, b: u128) -> Result<u128> {
    a.checked_add(b).ok_or_else(|| LIBRARY_MATH.into())
}

pub fn sub(a: u128, b: u128) -> Result<u128> {
    a.checked_sub(b).ok_or_else(|| LIBRARY_MATH.into())
}

/// LibraryMathError beyond u128.
#[inline(never)]
pub fn mul(a: u128, b: u128) -> Result<u128> {
    wide::checked_mul(a, b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Rounded down. LibraryMathError for a zero divisor.
#[inline(never)]
pub fn div(a: u128, b: u128) -> Result<u128> {
    wide::div_floor(a, b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Rounded up. LibraryMathError for a zero divisor.
#[inline(never)]
pub fn div_up(a: u128, b: u128) -> Result<u128> {
    wide::div_ceil(a, b).ok_or_else(|| LIBRARY_MATH.into())
}

/// floor(a × b / divisor) by a 256-bit product, with the rest.
#[inline(always)]
pub fn mul_div_rem(a: u128, b: u128, divisor: u128) -> Result<(u128, u128)> {
    mul_div_parts(&[a, b, divisor])
}

/// floor(a × b / divisor) by a 256-bit product.
#[inline(always)]
pub fn mul_div(a: u128, b: u128, divisor: u128) -> Result<u128> {
    mul_div_parts(&[a, b, divisor]).map(|(quotient, _)| quotient)
}

/// By reference, because three numbers of 128 bits are more than a function on chain can take.
#[inline(never)]
fn mul_div_parts(&[a, b, divisor]: &[u128; 3]) -> Result<(u128, u128)> {
    let (quotient, rest) = U256::product(a, b).div_rem(divisor).ok_or(LIBRARY_DIVISION_BY_ZERO)?;
    let quotient = quotient.narrow().ok_or(LIBRARY_U256_DOWN_CAST)?;
    Ok((quotient, rest))
}

/// LibraryCastingFailure beyond u64.
pub fn narrow(value: u128) -> Result<u64> {
    math::narrow(value).ok_or_else(|| LIBRARY_CASTING.into())
}

/// LibraryCastingFailure beyond i128.
pub fn signed(value: u128) -> Result<i128> {
    i128::try_from(value).map_err(|_| LIBRARY_CASTING.into())
}
