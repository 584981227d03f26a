//! The instructions of the administration.

mod create;
mod set_fee;
mod set_status;
mod update_authority;

pub use create::create;
pub use set_fee::set_fee;
pub use set_status::set_status;
pub use update_authority::update_authority;

use crate::state::Admin;
use sluice_program::anchor;
use sluice_program::{Account, Result};

/// Half a percent.
const MAX_FEE: u16 = 50;

/// Returns the admin account after checking that its authority signed.
fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "authority")?;
    let admin = Admin::load(account)?;
    admin.check_authority(signer)?;
    anchor::check_writable(account, "flashloan_admin")?;
    Ok((account, admin))
}
