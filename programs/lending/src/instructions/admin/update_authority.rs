//! The instruction `update_authority`.

use super::load;
use crate::error::INVALID_PARAMS;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Argument: the new authority. It is always refused: the public program accepted none that was tried.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    let (signer, _, admin) = load(accounts)?;
    admin.check_authority(signer)?;
    Err(INVALID_PARAMS.into())
}
