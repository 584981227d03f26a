//! The instruction `update_auths`.

use super::update;
use sluice_program::anchor;
use sluice_program::{Account, Result};

const AUTHS: [u8; 8] = anchor::event("LogUpdateAuths");

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    update(accounts, args, &AUTHS, |lists| &mut lists.auths)
}
