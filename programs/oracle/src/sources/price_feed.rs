//! A price update of the Pyth receiver (`PriceUpdateV2`).
//!
//! Fields: discriminator, write authority, verification level (0 and a number of signatures, or 1 for all), feed id,
//! price i64, confidence u64, exponent i32, publish time i64. The 32 bytes after them must be present and are not
//! used.

use super::Purpose;
use crate::error::{
    LIBRARY_CASTING_FAILURE, LIBRARY_MATH_ERROR, PRICE_CONFIDENCE_NOT_SUFFICIENT, PRICE_NOT_VALID,
    PRICE_TOO_OLD,
};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{math, wide, Account, ProgramError, Result};

/// The time of the previous price, the average price with its confidence, and the slot.
const BEHIND: usize = 4 * 8;
const PARTIAL: u8 = 0;
const FULL: u8 = 1;
const DECIMALS: u32 = 15;
/// A power of ten with more zeros exceeds u128.
const MAX_ZEROS: u32 = 38;

struct Update {
    level: u8,
    price: i64,
    confidence: u64,
    exponent: i32,
    publish_time: i64,
}

/// Fails with PriceNotValid if the price is not positive, has a positive exponent or was not fully verified, with
/// PriceTooOld after 600 seconds (for liquidations 7,200), and with PriceConfidenceNotSufficient above 2 % (for
/// liquidations 4 %).
pub fn read(account: Account, clock: &Clock, purpose: Purpose) -> Result<u128> {
    let update = decode(&account.data()?).ok_or(ProgramError::BORSH_IO_ERROR)?;
    let (maximum_age, scale) = match purpose {
        Purpose::Operate => (600, 50),
        Purpose::Liquidate => (7_200, 25),
    };
    if update.level != FULL {
        return Err(PRICE_NOT_VALID.into());
    }
    if update.publish_time.saturating_add(maximum_age) < clock.unix_timestamp {
        return Err(PRICE_TOO_OLD.into());
    }
    if update.price <= 0 || update.exponent > 0 {
        return Err(PRICE_NOT_VALID.into());
    }
    let price = update.price.unsigned_abs();
    if math::checked_mul(update.confidence, scale).ok_or(LIBRARY_MATH_ERROR)? > price {
        return Err(PRICE_CONFIDENCE_NOT_SUFFICIENT.into());
    }
    scaled(price, update.exponent.unsigned_abs())
}

fn scaled(price: u64, decimals: u32) -> Result<u128> {
    if decimals > u8::MAX as u32 {
        return Err(LIBRARY_CASTING_FAILURE.into());
    }
    let scaled = if decimals > DECIMALS {
        power(decimals - DECIMALS).and_then(|divisor| wide::div_floor(price as u128, divisor))
    } else {
        power(DECIMALS - decimals).and_then(|multiplier| wide::checked_mul(price as u128, multiplier))
    };
    Ok(scaled.ok_or(LIBRARY_MATH_ERROR)?)
}

fn power(zeros: u32) -> Option<u128> {
    if zeros > MAX_ZEROS {
        return None;
    }
    let mut power = 1;
    for _ in 0..zeros {
        power = wide::checked_mul(power, 10)?;
    }
    Some(power)
}

fn decode(data: &[u8]) -> Option<Update> {
    let mut from = Reader::new(data);
    from.bytes(8 + 32)?;
    let level = from.u8()?;
    match level {
        PARTIAL => from.bytes(1).map(|_| ())?,
        FULL => (),
        _ => return None,
    }
    from.bytes(32)?;
    let (price, confidence) = (from.i64()?, from.u64()?);
    let (exponent, publish_time) = (from.u32()? as i32, from.i64()?);
    from.bytes(BEHIND)?;
    Some(Update { level, price, confidence, exponent, publish_time })
}
