//! Arithmetic on `u64` that the BPF backend cannot do by itself: it refuses every multiplication whose result is
//! wider than 64 bits, `u64::checked_mul` and overflow-checked `*` included.

use core::hint::black_box;

use crate::wide;

/// Returns the whole product.
#[inline(always)]
pub fn widening_mul(a: u64, b: u64) -> u128 {
    let (a_low, a_high) = (a as u32 as u64, a >> 32);
    // If the compiler could see what the second half is, it would recognise the 128-bit multiplication and emit it.
    let (b_low, b_high) = (b as u32 as u64, black_box(b >> 32));
    // The product of two 32-bit halves fits 64 bits, so `wrapping_mul` never wraps. A plain `*` would be
    // overflow-checked.
    let low = a_low.wrapping_mul(b_low);
    let cross = a_low.wrapping_mul(b_high);
    let middle = a_high.wrapping_mul(b_low).wrapping_add(low >> 32).wrapping_add(cross as u32 as u64);
    let high = a_high.wrapping_mul(b_high).wrapping_add(cross >> 32).wrapping_add(middle >> 32);
    wide::join(high, middle << 32 | low as u32 as u64)
}

/// Returns None if the product exceeds u64.
#[inline(always)]
pub fn checked_mul(a: u64, b: u64) -> Option<u64> {
    if (a | b) >> 32 == 0 {
        return Some(a.wrapping_mul(b));
    }
    narrow(widening_mul(a, b))
}

/// Returns floor(a × b / divisor), or None if the divisor is zero or the result exceeds u64.
pub fn mul_div_floor(a: u64, b: u64, divisor: u64) -> Option<u64> {
    let (quotient, _) = div_rem(widening_mul(a, b), divisor)?;
    Some(quotient)
}

/// Returns ceil(a × b / divisor), or None if the divisor is zero or the result exceeds u64.
pub fn mul_div_ceil(a: u64, b: u64, divisor: u64) -> Option<u64> {
    let (quotient, remainder) = div_rem(widening_mul(a, b), divisor)?;
    quotient.checked_add((remainder != 0) as u64)
}

/// Returns ceil(a / divisor), or None if the divisor is zero.
#[inline(always)]
pub fn div_ceil(a: u64, divisor: u64) -> Option<u64> {
    let quotient = a.checked_div(divisor)?;
    Some(quotient + (a % divisor != 0) as u64)
}

/// Returns quotient and remainder, or None if the divisor is zero or the quotient exceeds u64.
#[inline(always)]
pub fn div_rem(dividend: u128, divisor: u64) -> Option<(u64, u64)> {
    let (high, low) = wide::split(dividend);
    if high >= divisor {
        return None;
    }
    if high == 0 {
        return Some((low / divisor, low % divisor));
    }
    Some(wide::div_rem_2_by_1(high, low, divisor))
}

/// Returns None if the value exceeds u64.
#[inline(always)]
pub fn narrow(value: u128) -> Option<u64> {
    let (high, low) = wide::split(value);
    if high == 0 {
        Some(low)
    } else {
        None
    }
}
