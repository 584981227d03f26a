//! The instruction `withdraw_from_project`.

use sluice_program::bytes::Reader;
use sluice_program::{anchor, system, Account, Address, Result};

use crate::checks::{check_named, check_system_program, check_wallet};
use crate::state::{load_project, Project, PROJECT_AUTHORITY_SEED};

/// Pays lamports of the project's authority, which pays for the admin's token accounts, to the admin. The admin signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let lamports = anchor::decoded(Reader::new(args).u64())?;
    let (&[admin, project_account, authority, system_program], _) = anchor::accounts::<4>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    let Project { base, admin: project_admin, .. } =
        Project::decode(&load_project(project_account, program)?)?;
    check_wallet(authority, "project_authority")?;
    check_system_program(system_program)?;

    anchor::check_writable(admin, "admin")?;
    check_named(admin, &project_admin, "project")?;
    let bump =
        anchor::check_derived(authority, &[PROJECT_AUTHORITY_SEED, &base.0], program, "project_authority")?;
    anchor::check_writable(authority, "project_authority")?;
    system::Transfer { from: authority, to: admin, lamports }.invoke(&[&[
        PROJECT_AUTHORITY_SEED,
        &base.0,
        &[bump],
    ]])
}
