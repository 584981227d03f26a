//! The account of a feed: `PriceUpdateV2` of the receiver program.

use sluice_program::bytes::Reader;
use sluice_program::{anchor, math, Account, Address, Result};

use crate::addresses::FEED_PROGRAM;
use crate::errors::{FEED_NOT_GOOD, INVALID_FEED};

const TAG: [u8; 8] = anchor::account("PriceUpdateV2");
const LEN: usize = 134;
/// The level at which all signatures of an update were verified. It is stored in one byte.
const FULL: u8 = 1;
/// The oldest price that is traded at, in seconds.
const MAX_AGE: i64 = 60;
/// The price is at least this many times the confidence interval, which is at most 2 % of it then.
const CERTAINTY: u64 = 50;

/// A price of a feed.
pub struct FeedPrice {
    /// Names what is priced, such as BTC in dollars. It is the same in every account that has an update of the price.
    pub id: Address,
    /// Above 0.
    pub price: i64,
    pub exponent: i32,
    pub published: i64,
    pub previously_published: i64,
}

impl FeedPrice {
    /// Reads a price that is certain enough and not from the future. Fails with FeedNotGood for any other, and with an error
    /// of Anchor's unless the account is a feed.
    #[inline(never)]
    pub fn load(account: Account, now: i64) -> Result<Self> {
        let data = anchor::load(account, &FEED_PROGRAM, &TAG, "feed")?;
        let read = if data.len() == LEN { decode(&data) } else { None };
        let (feed, confidence) = read.ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("feed"))?;
        let interval = math::checked_mul(confidence, CERTAINTY);
        let is_certain = feed.price > 0 && interval.is_some_and(|interval| interval <= feed.price as u64);
        if is_certain && feed.published <= now {
            Ok(feed)
        } else {
            Err(FEED_NOT_GOOD.of("feed"))
        }
    }

    /// Fails with InvalidFeed unless the feed prices the same. Whether its present price is good makes no difference.
    #[inline(never)]
    pub fn check_same(&self, feed: Account) -> Result {
        let data = anchor::load(feed, &FEED_PROGRAM, &TAG, "feed")?;
        match decode(&data) {
            Some((other, _)) if other.id == self.id => Ok(()),
            _ => Err(INVALID_FEED.of("update")),
        }
    }

    /// Fails with FeedNotGood unless the price is of the last minute.
    pub fn check_age(&self, now: i64) -> Result {
        if now.saturating_sub(self.published) <= MAX_AGE {
            Ok(())
        } else {
            Err(FEED_NOT_GOOD.of("feed"))
        }
    }

    /// Fails with FeedNotGood unless the price has the exponent.
    pub fn check_exponent(&self, exponent: i32) -> Result {
        if self.exponent == exponent {
            Ok(())
        } else {
            Err(FEED_NOT_GOOD.of("feed"))
        }
    }
}

/// Returns the price and its confidence interval, or None unless all signatures of the update were verified.
#[inline(never)]
fn decode(data: &[u8]) -> Option<(FeedPrice, u64)> {
    let mut from = Reader::new(data);
    // The tag and the authority that writes the feed.
    from.bytes(8 + 32)?;
    if from.u8()? != FULL {
        return None;
    }
    let id = from.address()?;
    let price = from.i64()?;
    let confidence = from.u64()?;
    let exponent = from.u32()? as i32;
    let published = from.i64()?;
    let previously_published = from.i64()?;
    Some((FeedPrice { id, price, exponent, published, previously_published }, confidence))
}
