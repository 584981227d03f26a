//! The instruction `update_authority`.

use super::load;
use crate::error::INVALID_PARAMS;
use sluice_lending::GOVERNANCE;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const AUTHORITY: [u8; 8] = anchor::event("LogUpdateAuthority");

/// Argument: the new authority, which must be the governance of the public program.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    let authority = decoded(Reader::new(args).address())?;
    let (account, mut admin) = load(accounts)?;
    if authority != GOVERNANCE {
        return Err(INVALID_PARAMS.into());
    }
    admin.authority = authority;
    admin.store(account)?;
    event::log(&AUTHORITY, |event| event.address(&authority))
}
