//! The instructions `activate_protocol` and `pause_protocol`.

use super::load;
use crate::error::INVALID_PARAMS;
use sluice_program::anchor;
use sluice_program::{log, Account, Result};

const ACTIVATED: [u8; 8] = anchor::event("ActivateProtocol");
const PAUSED: [u8; 8] = anchor::event("PauseProtocol");

/// Starts or stops granting loans. Signed by the authority.
pub fn set_status(accounts: &[Account], status: bool) -> Result {
    let (account, mut admin) = load(accounts)?;
    if admin.status == status {
        return Err(INVALID_PARAMS.into());
    }
    admin.status = status;
    admin.store(account)?;
    log::data(&[if status { &ACTIVATED } else { &PAUSED }]);
    Ok(())
}
