//! The instruction `update_rebalancer`.

use super::load;
use crate::error::INVALID_PARAMS;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Address, Result};

const REBALANCER: [u8; 8] = anchor::event("LogUpdateRebalancer");

/// Argument: the new rebalancer. Signed by an auth.
pub fn update_rebalancer(accounts: &[Account], args: &[u8]) -> Result {
    let rebalancer = decoded(Reader::new(args).address())?;
    let (signer, account, mut admin) = load(accounts)?;
    admin.check_auth(signer)?;
    if rebalancer == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }
    admin.rebalancer = rebalancer;
    admin.store(account)?;
    event::log(&REBALANCER, |event| event.address(&rebalancer))
}
