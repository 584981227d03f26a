//! Arithmetic on `u128` and 256 bits, on 64-bit limbs.
//!
//! On the BPF backend `u128` itself can be added, subtracted, compared, masked and shifted by constants; it cannot
//! be multiplied, divided, or shifted by a variable. These functions do that.

use core::cmp::Ordering;

use crate::math::widening_mul;

/// Joins two halves.
#[inline(always)]
pub const fn join(high: u64, low: u64) -> u128 {
    (high as u128) << 64 | low as u128
}

/// Returns the high and the low half.
#[inline(always)]
pub const fn split(value: u128) -> (u64, u64) {
    ((value >> 64) as u64, value as u64)
}

/// Returns None if the product exceeds u128.
pub fn checked_mul(a: u128, b: u128) -> Option<u128> {
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    if a_high != 0 && b_high != 0 {
        return None;
    }
    // At most one of the two cross products is not zero.
    let cross = widening_mul(a_high, b_low) + widening_mul(a_low, b_high);
    let (cross_high, cross_low) = split(cross);
    if cross_high != 0 {
        return None;
    }
    widening_mul(a_low, b_low).checked_add(join(cross_low, 0))
}

/// Returns quotient and remainder, or None if the divisor is zero.
pub fn div_rem(dividend: u128, divisor: u128) -> Option<(u128, u128)> {
    let (divisor_high, divisor_low) = split(divisor);
    if divisor_high == 0 {
        if divisor_low == 0 {
            return None;
        }
        let (high, low) = split(dividend);
        let (first, carry) = (high / divisor_low, high % divisor_low);
        let (second, remainder) = div_rem_2_by_1(carry, low, divisor_low);
        return Some((join(first, second), remainder as u128));
    }
    if dividend < divisor {
        return Some((0, dividend));
    }
    // The divisor is at least 2^64, so the quotient is below it.
    let (high, low) = split(dividend);
    let [_, _, _, quotient, rest_high, rest_low] =
        div_rem_limbs(&[0, 0, high, low], divisor_high, divisor_low);
    Some((quotient as u128, join(rest_high, rest_low)))
}

/// Returns floor(dividend / divisor), or None if the divisor is zero.
pub fn div_floor(dividend: u128, divisor: u128) -> Option<u128> {
    div_rem(dividend, divisor).map(|(quotient, _)| quotient)
}

/// Returns ceil(dividend / divisor), or None if the divisor is zero.
pub fn div_ceil(dividend: u128, divisor: u128) -> Option<u128> {
    div_rem(dividend, divisor).map(|(quotient, remainder)| quotient + (remainder != 0) as u128)
}

/// Returns floor(a × b / divisor), or None if the divisor is zero or the result exceeds u128.
#[inline(always)]
pub fn mul_div_floor(a: u128, b: u128, divisor: u128) -> Option<u128> {
    U256::product(a, b).div_rem(divisor)?.0.narrow()
}

/// Returns ceil(a × b / divisor), or None if the divisor is zero or the result exceeds u128.
#[inline(always)]
pub fn mul_div_ceil(a: u128, b: u128, divisor: u128) -> Option<u128> {
    let (quotient, remainder) = U256::product(a, b).div_rem(divisor)?;
    quotient.narrow()?.checked_add((remainder != 0) as u128)
}

/// Returns the square root, rounded down.
pub fn sqrt(value: u128) -> u64 {
    let mut rest = value;
    let mut root = 0u128;
    let mut bit = 1u128 << 126;
    while bit > rest {
        bit >>= 2;
    }
    while bit != 0 {
        let candidate = root + bit;
        root >>= 1;
        if rest >= candidate {
            rest -= candidate;
            root += bit;
        }
        bit >>= 2;
    }
    root as u64
}

/// A number of 256 bits, for products of two `u128` that are divided afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct U256 {
    pub high: u128,
    pub low: u128,
}

impl U256 {
    /// Returns the number with a high half of zero.
    pub const fn from_u128(value: u128) -> Self {
        Self { high: 0, low: value }
    }

    /// Returns the whole product.
    pub fn product(a: u128, b: u128) -> Self {
        let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
        let low = widening_mul(a_low, b_low);
        let (middle, carried) = widening_mul(a_low, b_high).overflowing_add(widening_mul(a_high, b_low));
        let (middle_high, middle_low) = split(middle);
        let (low, carry) = low.overflowing_add(join(middle_low, 0));
        let high = widening_mul(a_high, b_high) + join(carried as u64, middle_high) + carry as u128;
        Self { high, low }
    }

    /// Returns None if the sum exceeds 256 bits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.checked_add(other.high)?.checked_add(carry as u128)?;
        Some(Self { high, low })
    }

    /// Returns None if the difference is below zero.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.checked_sub(other.high)?.checked_sub(borrow as u128)?;
        Some(Self { high, low })
    }

    /// Returns None if the number exceeds u128.
    pub fn narrow(self) -> Option<u128> {
        if self.high == 0 {
            Some(self.low)
        } else {
            None
        }
    }

    /// Returns quotient and remainder, or None if the divisor is zero.
    #[inline(always)]
    pub fn div_rem(self, divisor: u128) -> Option<(Self, u128)> {
        if divisor == 0 {
            return None;
        }
        let ((a, b), (c, d)) = (split(self.high), split(self.low));
        let (divisor_high, divisor_low) = split(divisor);
        let [q3, q2, q1, q0, r1, r0] = div_rem_limbs(&[a, b, c, d], divisor_high, divisor_low);
        Some((Self { high: join(q3, q2), low: join(q1, q0) }, join(r1, r0)))
    }
}

impl Ord for U256 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.high.cmp(&other.high).then(self.low.cmp(&other.low))
    }
}

impl PartialOrd for U256 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Divides two limbs by one, where `high < divisor`: Knuth's algorithm D on 32-bit digits (TAOCP volume 2, 4.3.1).
#[inline(never)]
pub fn div_rem_2_by_1(high: u64, low: u64, divisor: u64) -> (u64, u64) {
    let shift = divisor.leading_zeros();
    let divisor = divisor << shift;
    let high = shifted(high, low, shift);
    let low = low << shift;

    let (first, rest) = digit(high, low >> 32, divisor);
    let (second, rest) = digit(rest, low as u32 as u64, divisor);
    (first << 32 | second, rest >> shift)
}

/// Divides `rest`, followed by one more digit, by a normalised divisor above `rest`. Returns one digit of the
/// quotient and the new rest.
#[inline(always)]
fn digit(rest: u64, next: u64, divisor: u64) -> (u64, u64) {
    let (divisor_high, divisor_low) = (divisor >> 32, divisor as u32 as u64);
    let mut guess = rest / divisor_high;
    let mut over = rest % divisor_high;
    while guess >> 32 != 0 || guess.wrapping_mul(divisor_low) > (over << 32 | next) {
        guess -= 1;
        over += divisor_high;
        if over >> 32 != 0 {
            break;
        }
    }
    // The difference is below the divisor although its terms may wrap.
    let rest = (rest << 32 | next).wrapping_sub(guess.wrapping_mul(divisor));
    (guess, rest)
}

/// Divides four limbs by two, the most significant first. Returns the quotient's four limbs, then the remainder's
/// two. The divisor must not be 0.
#[inline(never)]
fn div_rem_limbs(dividend: &[u64; 4], divisor_high: u64, divisor_low: u64) -> [u64; 6] {
    let [a, b, c, d] = *dividend;
    if divisor_high == 0 {
        let (q3, rest) = (a / divisor_low, a % divisor_low);
        let (q2, rest) = div_rem_2_by_1(rest, b, divisor_low);
        let (q1, rest) = div_rem_2_by_1(rest, c, divisor_low);
        let (q0, rest) = div_rem_2_by_1(rest, d, divisor_low);
        return [q3, q2, q1, q0, 0, rest];
    }
    // This is algorithm D on 64-bit digits: the divisor's top bit is set, and the dividend grows by one limb.
    let shift = divisor_high.leading_zeros();
    let divisor = [shifted(divisor_high, divisor_low, shift), divisor_low << shift];
    let mut rest = [shifted(0, a, shift), shifted(a, b, shift)];
    let q2 = wide_digit(&mut rest, shifted(b, c, shift), &divisor);
    let q1 = wide_digit(&mut rest, shifted(c, d, shift), &divisor);
    let q0 = wide_digit(&mut rest, d << shift, &divisor);
    let [high, low] = rest;
    let low = if shift == 0 { low } else { low >> shift | high << (64 - shift) };
    [0, q2, q1, q0, high >> shift, low]
}

/// Returns the upper one of two limbs that are shifted left by less than 64.
#[inline(always)]
fn shifted(high: u64, low: u64, by: u32) -> u64 {
    // A shift by 64 is not defined, so the lower limb is shifted in two steps.
    high << by | (low >> 1) >> (63 - by)
}

/// Divides `rest`, followed by one more limb, by a normalised divisor above `rest`. Returns one 64-bit digit of the
/// quotient and leaves the new rest in `rest`.
#[inline(never)]
fn wide_digit(rest: &mut [u64; 2], next: u64, divisor: &[u64; 2]) -> u64 {
    let ([rest_high, rest_low], [divisor_high, divisor_low]) = (*rest, *divisor);
    // The guess exceeds the true digit by at most two.
    let (mut guess, mut over) = if rest_high >= divisor_high {
        (u64::MAX, rest_low as u128 + divisor_high as u128)
    } else {
        let (guess, over) = div_rem_2_by_1(rest_high, rest_low, divisor_high);
        (guess, over as u128)
    };
    while over >> 64 == 0 && widening_mul(guess, divisor_low) > join(over as u64, next) {
        guess -= 1;
        over += divisor_high as u128;
    }
    // The remainder is below the divisor, so the low 128 bits of rest × 2^64 + next − guess × divisor suffice.
    let product = widening_mul(guess, divisor_low).wrapping_add(join(guess.wrapping_mul(divisor_high), 0));
    let (high, low) = split(join(rest_low, next).wrapping_sub(product));
    *rest = [high, low];
    guess
}
