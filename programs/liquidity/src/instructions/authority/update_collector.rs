//! The instruction `update_revenue_collector`.

use crate::checks;
use crate::error::INVALID_PARAMS;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Address, Result};

const COLLECTOR: [u8; 8] = anchor::event("LogUpdateRevenueCollector");

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
