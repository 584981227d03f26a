//! The instruction that publishes prices.

use crate::feed::{self, Price};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

/// Arguments: a price and its confidence for each feed; a price of 0 keeps both. Accounts: the feeds' authority,
/// which signs, then the feeds.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (&[authority], feeds) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let clock = Clock::get()?;
    let mut from = Reader::new(args);
    for account in feeds {
        let price = Price::read(&mut from).ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
        feed::check(*account, authority.address())?;
        anchor::check_writable(*account, "feed")?;
        feed::publish(*account, price, clock.unix_timestamp, clock.slot)?;
    }
    if from.rest().is_empty() {
        Ok(())
    } else {
        Err(anchor::INSTRUCTION_DID_NOT_DESERIALIZE.into())
    }
}
