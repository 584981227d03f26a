//! Roots.

use crate::error::MATH_OVERFLOW;
use crate::math::shl_128_div;
use sluice_program::wide::{self, U256};
use sluice_program::Result;

/// Returns the root price of reserves, floor(sqrt(floor(b × 2^128 / a))). Fails with MathOverflow if there is no
/// token A.
pub fn of_reserves(a: u64, b: u64) -> Result<u128> {
    if a == 0 {
        return Err(MATH_OVERFLOW.into());
    }
    Ok(square_root(&shl_128_div(b, a as u128)?))
}

/// Returns the square root of a number below 2^192, rounded down. It is computed two bits at a time.
#[inline(never)]
pub fn square_root(value: &U256) -> u128 {
    let (_, top) = wide::split(value.high);
    let (middle, low) = wide::split(value.low);
    let (mut root, mut rest) = (0u128, 0u128);
    for limb in [top, middle, low] {
        let mut bits = limb;
        for _ in 0..32 {
            rest = rest << 2 | (bits >> 62) as u128;
            bits <<= 2;
            let trial = root << 2 | 1;
            root <<= 1;
            if rest >= trial {
                rest -= trial;
                root |= 1;
            }
        }
    }
    root
}
