//! The instruction `update_auths`.

use super::by_authority;
use crate::error::{INVALID_PARAMS, MAX_AUTH_COUNT_REACHED};
use sluice_program::anchor::{self, decoded};
use sluice_program::members::{self, Refusals};
use sluice_program::{Account, Result};

const AUTHS_EVENT: [u8; 8] = anchor::event("LogUpdateAuths");
const REFUSALS: Refusals = Refusals { invalid: INVALID_PARAMS, full: MAX_AUTH_COUNT_REACHED };

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (mut admin, account) = by_authority(accounts)?;
    admin.auths.update(entries, &admin.authority, &REFUSALS)?;
    admin.store(account)?;
    members::log_update(&AUTHS_EVENT, entries)
}
