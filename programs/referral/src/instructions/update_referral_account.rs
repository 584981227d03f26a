//! The instruction `update_referral_account`.

use sluice_program::bytes::{self, Reader};
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::check_named;
use crate::events::log_share_update;
use crate::state::{load_project, load_referral_account, Project, ReferralAccount, SHARE_OFFSET};

/// Sets the share of a partner. The project's admin signs. As in the public program, the share is not checked here; a
/// claim fails if it is above 10,000 basis points.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let share_bps = anchor::decoded(Reader::new(args).u16())?;
    let (&[admin, project_account, account], _) = anchor::accounts::<3>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    let project_admin = Project::decode(&load_project(project_account, program)?)?.admin;
    let project = ReferralAccount::decode(&load_referral_account(account, program)?)?.project;
    check_named(admin, &project_admin, "project")?;
    anchor::check_writable(account, "referral_account")?;
    check_named(project_account, &project, "referral_account")?;
    bytes::put(&mut account.data_mut()?, SHARE_OFFSET, &share_bps.to_le_bytes())?;
    log_share_update(account.address(), share_bps)
}
