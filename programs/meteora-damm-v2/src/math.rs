//! The quotients of the shared arithmetic, with the errors of this program.

use crate::error::convert;
use sluice_meteora::math::Rounding;
use sluice_program::Result;

/// Returns a × b / divisor. Fails with MathOverflow if the divisor is zero, and with TypeCastFailed if the result
/// exceeds u64.
#[inline(always)]
pub fn mul_div(a: u64, b: u64, divisor: u64, rounding: Rounding) -> Result<u64> {
    sluice_meteora::math::mul_div(a, b, divisor, rounding).map_err(convert)
}

/// Returns the product of the first two divided by the third. Fails with MathOverflow if the divisor is zero, and
/// with TypeCastFailed if the result exceeds u64.
#[inline(always)]
pub fn mul_div_wide(numbers: &[u128; 3], rounding: Rounding) -> Result<u64> {
    sluice_meteora::math::mul_div_wide(numbers, rounding).map_err(convert)
}
