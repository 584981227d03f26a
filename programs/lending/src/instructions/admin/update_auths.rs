//! The instruction `update_auths`.

use super::load;
use crate::error::{INVALID_PARAMS, MAX_AUTH_COUNT_REACHED};
use sluice_program::anchor::{self, decoded};
use sluice_program::members::{self, Refusals};
use sluice_program::{Account, Result};

const AUTHS: [u8; 8] = anchor::event("LogUpdateAuths");
const REFUSALS: Refusals = Refusals { invalid: INVALID_PARAMS, full: MAX_AUTH_COUNT_REACHED };

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (signer, account, mut admin) = load(accounts)?;
    admin.check_authority(signer)?;
    admin.auths.update(entries, &admin.authority, &REFUSALS)?;
    admin.store(account)?;
    members::log_update(&AUTHS, entries)
}
