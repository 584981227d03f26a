//! The account of a feed: `PriceUpdateV2` of the receiver program.

use crate::PROGRAM;
use sluice_program::bytes::{self, Reader};
use sluice_program::{anchor, math, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("PriceUpdateV2");
const AUTHORITY: usize = 8;
/// The verification level. The level "full" is stored in one byte.
const LEVEL: usize = 40;
const FULL: u8 = 1;
const PRICE: usize = 73;
const CONFIDENCE: usize = 81;
const PUBLISH_TIME: usize = 93;
const PREVIOUS_PUBLISH_TIME: usize = 101;
const AVERAGE_PRICE: usize = 109;
const AVERAGE_CONFIDENCE: usize = 117;
const POSTED_SLOT: usize = 125;
const LEN: usize = 134;
/// The average follows the price within about this many seconds.
const AVERAGE_SECONDS: u64 = 3_600;

/// Checks that the account is a feed that `authority` may write.
#[inline(never)]
pub fn check(account: Account, authority: &Address) -> Result {
    let data = anchor::load(account, &PROGRAM, &TAG, "feed")?;
    if data.len() != LEN || data[LEVEL] != FULL {
        return Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("feed"));
    }
    if bytes::address_at(&data, AUTHORITY).as_ref() != Some(authority) {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("feed"));
    }
    Ok(())
}

/// A price that is not negative, with its confidence interval. A price of 0 means that the feed keeps its present
/// price and interval.
#[derive(Clone, Copy)]
pub struct Price {
    price: u64,
    confidence: u64,
}

impl Price {
    /// Returns None if the bytes are cut short.
    pub fn read(from: &mut Reader) -> Option<Self> {
        let price = from.i64().filter(|price| *price >= 0)? as u64;
        let confidence = from.u64()?;
        Some(Self { price, confidence })
    }
}

/// Publishes the price as of the running slot.
#[inline(never)]
pub fn publish(account: Account, new: Price, now: i64, slot: u64) -> Result {
    let mut data = account.data_mut()?;
    let field = |data: &[u8], offset| bytes::u64_at(data, offset).unwrap_or(0);
    let kept = Price { price: field(&data, PRICE), confidence: field(&data, CONFIDENCE) };
    let current = if new.price == 0 { kept } else { new };
    let before = field(&data, PUBLISH_TIME);
    let elapsed = (now as u64).saturating_sub(before);
    let middle = average(field(&data, AVERAGE_PRICE), current.price, elapsed);
    let certainty = average(field(&data, AVERAGE_CONFIDENCE), current.confidence, elapsed);
    for (offset, value) in [
        (PRICE, current.price),
        (CONFIDENCE, current.confidence),
        (PUBLISH_TIME, now as u64),
        (PREVIOUS_PUBLISH_TIME, before),
        (AVERAGE_PRICE, middle),
        (AVERAGE_CONFIDENCE, certainty),
        (POSTED_SLOT, slot),
    ] {
        bytes::put(&mut data, offset, &value.to_le_bytes())?;
    }
    Ok(())
}

/// Moves the average towards the price in proportion to the elapsed part of an hour. After an hour the average is the
/// price.
fn average(average: u64, price: u64, elapsed: u64) -> u64 {
    let share = elapsed.min(AVERAGE_SECONDS);
    let towards = |distance| math::mul_div_floor(distance, share, AVERAGE_SECONDS).unwrap_or(distance);
    if price >= average {
        average + towards(price - average)
    } else {
        average - towards(average - price)
    }
}
