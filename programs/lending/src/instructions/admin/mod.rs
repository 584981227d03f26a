//! The instructions of the program's administration.

mod create;
mod update_authority;
mod update_auths;
mod update_rebalancer;

pub use create::create;
pub use update_authority::update_authority;
pub use update_auths::update_auths;
pub use update_rebalancer::update_rebalancer;

use crate::state::admin::Admin;
use sluice_program::anchor;
use sluice_program::{Account, Result};

fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let admin = Admin::load(account)?;
    anchor::check_writable(account, "lending_admin")?;
    Ok((signer, account, admin))
}
