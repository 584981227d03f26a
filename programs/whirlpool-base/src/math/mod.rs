//! The pool's arithmetic. Prices are Q64.64 square roots of token A's price in atoms of token B.

pub mod amount;
pub mod price;
pub mod step;
pub mod tick;

use crate::error::{LIQUIDITY_OVERFLOW, LIQUIDITY_UNDERFLOW};
use sluice_program::Result;

/// Adds a signed amount to the liquidity. Fails with LiquidityOverflow or LiquidityUnderflow.
pub fn add_liquidity(liquidity: u128, delta: i128) -> Result<u128> {
    if delta >= 0 {
        liquidity.checked_add(delta as u128).ok_or_else(|| LIQUIDITY_OVERFLOW.into())
    } else {
        liquidity.checked_sub((delta as u128).wrapping_neg()).ok_or_else(|| LIQUIDITY_UNDERFLOW.into())
    }
}

/// Returns floor(dividend / divisor) for a positive divisor. The target has no signed division.
#[inline(always)]
pub fn floor_div(dividend: i32, divisor: i32) -> i32 {
    let (magnitude, divisor) = (dividend.unsigned_abs(), divisor as u32);
    if dividend >= 0 {
        (magnitude / divisor) as i32
    } else {
        -(magnitude.div_ceil(divisor) as i32)
    }
}
