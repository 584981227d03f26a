//! The instructions that change the authority and the revenue collector.

use crate::checks;
use crate::error::INVALID_PARAMS;
use crate::state::auth_list::AuthList;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Address, Result};

const COLLECTOR: [u8; 8] = anchor::event("LogUpdateRevenueCollector");

/// Argument: the new authority. It is always refused: the public program accepted none that was tried.
pub fn update(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    let (&[authority, liquidity, auth_list], _) = anchor::accounts(accounts)?;
    checks::by_authority(authority, liquidity)?;
    AuthList::load(auth_list)?;
    Err(INVALID_PARAMS.into())
}

/// Argument: the recipient of the revenue. Signed by the authority.
pub fn update_collector(accounts: &[Account], args: &[u8]) -> Result {
    let collector = decoded(Reader::new(args).address())?;
    let (&[authority, liquidity], _) = anchor::accounts(accounts)?;
    let mut state = checks::by_authority(authority, liquidity)?;
    anchor::check_writable(liquidity, "liquidity")?;
    if collector == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }
    state.revenue_collector = collector;
    state.store(liquidity)?;
    event::log(&COLLECTOR, |event| event.address(&collector))
}
