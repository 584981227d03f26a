//! The arithmetic of interest and limits, on plain numbers.

pub mod curve;
pub mod limits;

use crate::error::{LIBRARY_CASTING, LIBRARY_MATH};
use sluice_program::{math, wide, Result};

pub use sluice_program::interest::{PRICE_ONE, WHOLE};

/// Returns the value of `raw` at `price`, rounded down.
pub fn worth(raw: u64, price: u64) -> Result<u64> {
    math::mul_div_floor(raw, price, PRICE_ONE).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Returns the value of `raw` at `price`, rounded up.
pub fn worth_ceil(raw: u64, price: u64) -> Result<u64> {
    math::mul_div_ceil(raw, price, PRICE_ONE).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Returns the raw amount of `amount` at `price`, rounded down.
pub fn raw_floor(amount: u64, price: u64) -> Result<u64> {
    math::mul_div_floor(amount, PRICE_ONE, price).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Returns the raw amount of `amount` at `price`, rounded up.
pub fn raw_ceil(amount: u64, price: u64) -> Result<u64> {
    math::mul_div_ceil(amount, PRICE_ONE, price).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Returns `share` 10,000ths of `amount`, rounded down.
pub fn share_of(amount: u64, share: u64) -> Result<u64> {
    math::mul_div_floor(amount, share, WHOLE).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Fails with LibraryMathError if the sum exceeds u64.
pub fn add(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Fails with LibraryMathError if the difference is below zero.
pub fn sub(a: u64, b: u64) -> Result<u64> {
    a.checked_sub(b).ok_or_else(|| LIBRARY_MATH.into())
}

/// Fails with LibraryCastingFailure if the value exceeds u64.
pub fn narrow(value: u128) -> Result<u64> {
    math::narrow(value).ok_or_else(|| LIBRARY_CASTING.into())
}

/// Fails with LibraryCastingFailure if the value exceeds u16.
pub fn narrow_u16(value: u128) -> Result<u16> {
    let (high, low) = wide::split(value);
    if high == 0 && low <= u16::MAX as u64 {
        Ok(low as u16)
    } else {
        Err(LIBRARY_CASTING.into())
    }
}
