//! The instructions of the program's administration.

mod create;
mod update_authority;
mod update_auths;

pub use create::create;
pub use update_authority::update_authority;
pub use update_auths::update_auths;

use crate::state::admin::Admin;
use sluice_program::anchor;
use sluice_program::{Account, Result};

/// Returns the admin account after checking that its authority signed.
fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    let admin = Admin::load(account)?;
    admin.check_authority(signer)?;
    anchor::check_writable(account, "vault_admin")?;
    Ok((account, admin))
}
