//! The instruction `transfer_project`.

use sluice_program::{anchor, bytes, Account, Address, Result};

use crate::checks::{check_named, check_wallet};
use crate::state::{load_project, Project, ADMIN_OFFSET};

/// Gives a project to another admin. The present one signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (&[admin, new_admin, account], _) = anchor::accounts::<3>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    check_wallet(new_admin, "new_admin")?;
    let present = Project::decode(&load_project(account, program)?)?.admin;
    anchor::check_writable(account, "project")?;
    check_named(admin, &present, "project")?;
    bytes::put(&mut account.data_mut()?, ADMIN_OFFSET, &new_admin.address().0)
}
