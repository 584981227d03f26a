//! Division of 256 bits by more than 128.

use sluice_program::wide::{self, U256};

/// Larger numbers would leave no bit for the sign of a remainder.
const LIMIT: u128 = 1 << 120;

/// The fraction a × b / divisor.
pub struct Fraction {
    pub a: u128,
    pub b: u128,
    pub divisor: U256,
}

/// Returns the fraction, rounded up. Returns None if the divisor is zero or at least 2^248, or if the result exceeds
/// u128.
#[inline(never)]
pub fn mul_div_ceil(fraction: &Fraction) -> Option<u128> {
    let Fraction { a, b, ref divisor } = *fraction;
    if divisor.high == 0 {
        return wide::mul_div_ceil(a, b, divisor.low);
    }
    if divisor.high >= LIMIT {
        return None;
    }
    let dividend = U256::product(a, b);
    // Low bits of both are cut off so that 128 bits of the divisor remain. The quotient is then too large by at most
    // a few units.
    let by = 128 - divisor.high.leading_zeros();
    let (guess, _) = shifted_right(&dividend, by).div_rem(shifted_right(divisor, by).low)?;
    let mut quotient = guess.narrow()?;
    let mut rest = wrapping_sub(&dividend, &low_product(quotient, divisor));
    while rest.high >> 127 != 0 {
        quotient -= 1;
        rest = wrapping_add(&rest, divisor);
    }
    quotient.checked_add((rest.high != 0 || rest.low != 0) as u128)
}

/// Shifts right by 1 to 127 bits. The target has no shift of 128 bits by a variable.
fn shifted_right(value: &U256, by: u32) -> U256 {
    let ((a, b), (c, d)) = (wide::split(value.high), wide::split(value.low));
    let [a, b, c, d] = if by >= 64 { [0, a, b, c] } else { [a, b, c, d] };
    let by = by & 63;
    // A shift by 64 is not defined, so the upper limb is shifted in two steps.
    let limb = |upper: u64, lower: u64| lower >> by | (upper << 1) << (63 - by);
    U256 { high: wide::join(a >> by, limb(a, b)), low: wide::join(limb(b, c), limb(c, d)) }
}

/// Returns the lower 256 bits of a product.
fn low_product(a: u128, b: &U256) -> U256 {
    let low = U256::product(a, b.low);
    U256 { high: low.high.wrapping_add(U256::product(a, b.high).low), low: low.low }
}

fn wrapping_sub(a: &U256, b: &U256) -> U256 {
    let (low, borrow) = a.low.overflowing_sub(b.low);
    U256 { high: a.high.wrapping_sub(b.high).wrapping_sub(borrow as u128), low }
}

fn wrapping_add(a: &U256, b: &U256) -> U256 {
    let (low, carry) = a.low.overflowing_add(b.low);
    U256 { high: a.high.wrapping_add(b.high).wrapping_add(carry as u128), low }
}
