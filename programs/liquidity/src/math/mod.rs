//! The arithmetic of interest and limits, on plain numbers.

pub mod curve;
pub mod limits;

use crate::error::{LIBRARY_CASTING, LIBRARY_MATH};
use sluice_program::{math, wide, Result};

pub use sluice_program::interest::{PRICE_ONE, WHOLE};

/// What `raw` is worth at `price`, rounded down.
pub fn worth(raw: u64, price: u64) -> Result<u64> {
    math::mul_div_floor(raw, price, PRICE_ONE).ok_or_else(|| LIBRARY_CASTING.into())
}

/// What `raw` is worth at `price`, rounded up.
pub fn worth_ceil(raw: u64, price: u64) -> Result<u64> {
    math::mul_div_ceil(raw, price, PRICE_ONE).ok_or_else(|| LIBRARY_CASTING.into())
}

/// The raw amount of `amount` at `price`, rounded down.
pub fn raw_floor(amount: u64, price: u64) -> Result<u64> {
    math::mul_div_floor(amount, PRICE_ONE, price).ok_or_else(|| LIBRARY_CASTING.into())
}

/// The raw amount of `amount` at `price`, rounded up.
pub fn raw_ceil(amount: u64, price: u64) -> Result<u64> {
    math::mul_div_ceil(amount, PRICE_ONE, price).ok_or_else(|| LIBRARY_CASTING.into())
}

/// The share of `amount` that `share` of 10,000 is, rounded down.
pub fn share_of(amount: u64, share: u64) -> Result<u64> {
    math::mul_div_floor(amount, share, WHOLE).ok_or_else(|| LIBRARY_CASTING.into())
}

pub fn add(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| LIBRARY_MATH.into())
}

pub fn sub(a: u64, b: u64) -> Result<u64> {
    a.checked_sub(b).ok_or_else(|| LIBRARY_MATH.into())
}

/// The value as a u64; LibraryCastingFailure when it does not fit.
pub fn narrow(value: u128) -> Result<u64> {
    math::narrow(value).ok_or_else(|| LIBRARY_CASTING.into())
}

/// The value as a u16; LibraryCastingFailure when it does not fit.
pub fn narrow_u16(value: u128) -> Result<u16> {
    let (high, low) = wide::split(value);
    if high == 0 && low <= u16::MAX as u64 {
        Ok(low as u16)
    } else {
        Err(LIBRARY_CASTING.into())
    }
}
