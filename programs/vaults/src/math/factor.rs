//! The factor by which liquidations reduce a debt. It is a floating-point number with a coefficient of 35 bits, of
//! which the highest is set, and an exponent of 15 bits. Its value is coefficient × 2^(exponent − 16384); zero is
//! encoded as all zeros.

use crate::error::{LIBRARY_BN, LIBRARY_DIVISION_BY_ZERO};
use sluice_program::{math, wide, Result};

const COEFFICIENT_BITS: u32 = 35;
const EXPONENT_BITS: u32 = 15;
const MAX_EXPONENT: u64 = (1 << EXPONENT_BITS) - 1;
/// The exponent of 2^0.
const BIAS: u64 = 1 << 14;

/// The factor of a branch in which nothing has been liquidated yet.
pub const INITIAL: u64 = ((1 << COEFFICIENT_BITS) - 1) << EXPONENT_BITS | BIAS;
/// The connection of a branch whose debt was liquidated completely.
pub const EVERYTHING: u64 = (1 << (COEFFICIENT_BITS + EXPONENT_BITS)) - 1;
/// The share 1.0 of a debt that remains after one step of a liquidation.
pub const SHARE_ONE: u128 = 1 << 64;

const fn coefficient(factor: u64) -> u64 {
    factor >> EXPONENT_BITS
}

const fn exponent(factor: u64) -> u64 {
    factor & MAX_EXPONENT
}

/// Fails with LibraryBnError if the exponent does not fit.
fn join(coefficient: u64, exponent: u64) -> Result<u64> {
    if exponent > MAX_EXPONENT {
        return Err(LIBRARY_BN.into());
    }
    Ok(coefficient << EXPONENT_BITS | exponent)
}

/// Shifts `value` right by less than 128 bits. There is no variable shift of 128 bits on chain.
fn shift_right(value: u128, by: u32) -> u128 {
    let (high, low) = wide::split(value);
    match by {
        0 => value,
        1..=63 => wide::join(high >> by, high << (64 - by) | low >> by),
        _ => (high >> (by - 64)) as u128,
    }
}

/// Returns floor(amount × factor / connection). Fails with LibraryBnError if the factor's exponent is above the
/// connection's.
#[inline(never)]
pub fn apply(amount: u64, factor: u64, connection: u64) -> Result<u64> {
    if factor == 0 || connection == 0 {
        return Ok(0);
    }
    let net = exponent(connection).checked_sub(exponent(factor)).ok_or(LIBRARY_BN)?;
    // The product has at most 99 bits, and the divisor's coefficient 35.
    if net > 64 {
        return Ok(0);
    }
    let product = math::widening_mul(amount, coefficient(factor));
    let quotient = wide::div_floor(shift_right(product, net as u32), coefficient(connection) as u128);
    quotient.and_then(math::narrow).ok_or_else(|| LIBRARY_BN.into())
}

/// Returns factor × share, where 1.0 of the share is 2^64. Fails with LibraryBnError if the result is too small for
/// an exponent.
#[inline(never)]
pub fn reduce(factor: u64, share: u128) -> Result<u64> {
    if factor == 0 || share == 0 {
        return Ok(0);
    }
    let product = wide::checked_mul(coefficient(factor) as u128, share).ok_or(LIBRARY_BN)?;
    let surplus = (u128::BITS - leading_zeros(product)).saturating_sub(COEFFICIENT_BITS);
    let scaled = exponent(factor) + surplus as u64;
    if scaled <= 64 {
        return Err(LIBRARY_BN.into());
    }
    join(shift_right(product, surplus) as u64, scaled - 64)
}

/// Returns the product of two connections, or [`EVERYTHING`] if it is too large for an exponent.
#[inline(never)]
pub fn connect(a: u64, b: u64) -> Result<u64> {
    let product = math::widening_mul(coefficient(a), coefficient(b));
    // The product of two numbers of 35 bits has 69 or 70 bits.
    let surplus = if product >> 69 != 0 { COEFFICIENT_BITS } else { COEFFICIENT_BITS - 1 };
    let exponent = (exponent(a) + exponent(b) + surplus as u64).checked_sub(BIAS).ok_or(LIBRARY_BN)?;
    if exponent > MAX_EXPONENT {
        return Ok(EVERYTHING);
    }
    join(shift_right(product, surplus) as u64, exponent)
}

/// Returns a / b, which is the connection of a branch with factor `b` to one with factor `a`.
#[inline(never)]
pub fn connection(a: u64, b: u64) -> Result<u64> {
    if a == 0 {
        return Ok(0);
    }
    let dividend = wide::join(coefficient(a), 0);
    let quotient = wide::div_floor(dividend, coefficient(b) as u128).ok_or(LIBRARY_DIVISION_BY_ZERO)?;
    // 2^64 times the quotient of two numbers of 35 bits has 64 or 65 bits.
    let bits = if quotient >> 64 == 1 { 65 } else { 64 };
    let surplus = bits - COEFFICIENT_BITS;
    let scaled = exponent(a) + BIAS + surplus as u64;
    let below = exponent(b) + 64;
    if scaled <= below {
        return Err(LIBRARY_BN.into());
    }
    join(shift_right(quotient, surplus) as u64, scaled - below)
}

fn leading_zeros(value: u128) -> u32 {
    let (high, low) = wide::split(value);
    if high == 0 {
        64 + low.leading_zeros()
    } else {
        high.leading_zeros()
    }
}
