//! The instruction `update_authority`.

use crate::checks;
use crate::error::INVALID_PARAMS;
use crate::state::auth_list::AuthList;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Argument: the new authority. It is always refused: the public program accepted none that was tried.
pub fn update(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    let (&[authority, liquidity, auth_list], _) = anchor::accounts(accounts)?;
    checks::by_authority(authority, liquidity)?;
    AuthList::load(auth_list)?;
    Err(INVALID_PARAMS.into())
}
