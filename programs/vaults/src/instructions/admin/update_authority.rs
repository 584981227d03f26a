//! The instruction `update_authority`.

use super::load;
use crate::error::ADMIN_INVALID_PARAMS;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Argument: the new authority. It is always refused: the public program accepts only its own governance.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    load(accounts)?;
    Err(ADMIN_INVALID_PARAMS.into())
}
