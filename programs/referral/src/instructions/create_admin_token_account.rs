//! The instruction `create_admin_token_account`.

use sluice_program::token::Mint;
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::{
    check_associated_token_program, check_named, check_system_program, check_token_program, check_wallet,
};
use crate::state::{load_project, Project, PROJECT_AUTHORITY_SEED};
use crate::tokens::AssociatedTokens;

/// Creates the admin's associated token account unless it exists. The project's authority pays for it, so anybody may
/// ask.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<8>(accounts)?;
    let &[project_account, authority, admin, account, mint, system_program, token_program, associated_program] =
        accounts;
    let Project { base, admin: project_admin, .. } =
        Project::decode(&load_project(project_account, program)?)?;
    check_wallet(authority, "project_authority")?;
    check_wallet(admin, "admin")?;
    Mint::load(mint, "mint")?;
    check_system_program(system_program)?;
    check_token_program(token_program)?;
    check_associated_token_program(associated_program)?;

    check_named(admin, &project_admin, "project")?;
    let bump =
        anchor::check_derived(authority, &[PROJECT_AUTHORITY_SEED, &base.0], program, "project_authority")?;
    anchor::check_writable(authority, "project_authority")?;
    anchor::check_writable(account, "project_admin_token_account")?;
    AssociatedTokens {
        payer: authority,
        account,
        wallet: admin,
        mint,
        system_program,
        token_program,
        name: "project_admin_token_account",
    }
    .open(&[&[PROJECT_AUTHORITY_SEED, &base.0, &[bump]]])
}
