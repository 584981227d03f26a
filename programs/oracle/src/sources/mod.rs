//! Readers of the accounts from which prices come. Each file reads the accounts of one program.

mod msol_pool;
mod price_feed;
mod stake_pool;

use crate::error::INVALID_SOURCE;
use sluice_program::sysvar::Clock;
use sluice_program::{Account, Result};

/// The price 1.0, with 15 decimals.
pub const ONE: u128 = 1_000_000_000_000_000;

const PRICE_FEED: u8 = 0;
const STAKE_POOL: u8 = 1;
const MSOL_POOL: u8 = 2;

/// The purpose of a price. Liquidations accept older and less certain prices, because they protect the lenders.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Operate,
    Liquidate,
}

/// Returns whether sources of this type are supported.
pub fn is_read(kind: u8) -> bool {
    kind <= MSOL_POOL
}

/// Returns the price in the account, with 15 decimals. The caller has compared the account's address with the oracle,
/// so the owner of the account is not checked: the creator of the oracle vouches for it.
#[inline(never)]
pub fn read(kind: u8, account: Account, clock: &Clock, purpose: Purpose) -> Result<u128> {
    match kind {
        PRICE_FEED => price_feed::read(account, clock, purpose),
        STAKE_POOL => stake_pool::read(account, clock),
        MSOL_POOL => msol_pool::read(account),
        _ => Err(INVALID_SOURCE.into()),
    }
}
