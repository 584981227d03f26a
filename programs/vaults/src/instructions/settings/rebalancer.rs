//! The instruction `update_rebalancer`.

use super::Change;
use crate::checks;
use crate::error::ADMIN_ADDRESS_ZERO_NOT_ALLOWED;
use crate::events;
use crate::instructions::vault_id;
use sluice_program::anchor::{self, decoded};
use sluice_program::{Account, Address, Result};

const REBALANCER: [u8; 8] = anchor::event("LogUpdateRebalancer");

/// Arguments: the vault's id, the new rebalancer. Signed by an auth.
pub fn rebalancer(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let rebalancer = decoded(from.address())?;
    let mut change = Change::load(accounts, id)?;
    checks::require(rebalancer != Address::ZERO, ADMIN_ADDRESS_ZERO_NOT_ALLOWED)?;
    change.config.rebalancer = rebalancer;
    let terms = change.config.terms;
    change.store(terms)?;
    events::address(&REBALANCER, &rebalancer)
}
