//! The accounts of other programs that prices come from, one kind per file.

mod msol_pool;
mod price_feed;
mod stake_pool;

use crate::error::INVALID_SOURCE;
use sluice_program::sysvar::Clock;
use sluice_program::{Account, Result};

/// A price of 1, with 15 decimals.
pub const ONE: u128 = 1_000_000_000_000_000;

const PRICE_FEED: u8 = 0;
const STAKE_POOL: u8 = 1;
const MSOL_POOL: u8 = 2;

/// What the price is for. Liquidations accept older and less certain prices, because they protect the lenders.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Operate,
    Liquidate,
}

pub fn is_read(kind: u8) -> bool {
    kind <= MSOL_POOL
}

/// The price that the account says, with 15 decimals. Which account it is was checked against the oracle, whose maker
/// vouches for it, so its owner is not looked at.
#[inline(never)]
pub fn read(kind: u8, account: Account, clock: &Clock, purpose: Purpose) -> Result<u128> {
    match kind {
        PRICE_FEED => price_feed::read(account, clock, purpose),
        STAKE_POOL => stake_pool::read(account, clock),
        MSOL_POOL => msol_pool::read(account),
        _ => Err(INVALID_SOURCE.into()),
    }
}
