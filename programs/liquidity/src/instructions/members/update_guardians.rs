//! The instruction `update_guardians`.

use super::update;
use sluice_program::anchor;
use sluice_program::{Account, Result};

const GUARDIANS: [u8; 8] = anchor::event("LogUpdateGuardians");

/// Arguments: addresses with whether each is a guardian from now on. Signed by the authority, which stays a guardian.
pub fn update_guardians(accounts: &[Account], args: &[u8]) -> Result {
    update(accounts, args, &GUARDIANS, |lists| &mut lists.guardians)
}
