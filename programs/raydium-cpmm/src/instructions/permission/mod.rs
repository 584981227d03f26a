//! The permission to create pools whose creator earns fees.

mod close;
mod create;

pub use close::close;
pub use create::create;

use crate::keys::PROGRAM;
use crate::state::{PERMISSION_LEN, PERMISSION_TAG};
use sluice_program::{anchor, Account, Result};

/// Checks that the account has a permission's owner, discriminator and length.
pub fn check(permission: Account) -> Result {
    let data = anchor::load(permission, &PROGRAM, &PERMISSION_TAG, "permission")?;
    if data.len() < PERMISSION_LEN {
        Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("permission"))
    } else {
        Ok(())
    }
}
