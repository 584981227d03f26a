//! The instruction `close_referral_token_account_v2`.

use sluice_program::token::{CloseAccount, Mint, TokenAccount};
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::{
    check_associated, check_associated_token_program, check_named, check_project, check_referral,
    check_token_program, check_wallet,
};
use crate::state::{load_project, load_referral_account, Project, ReferralAccount, REFERRAL_SEED};

/// Closes the empty associated token account of a named referral account, and pays its rent to the partner. The
/// project's admin signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<8>(accounts)?;
    let &[admin, project_account, referral_account, account, partner, mint, token_program, associated_program] =
        accounts;
    anchor::check_signer(admin, "admin")?;
    let project_data = load_project(project_account, program)?;
    let project = Project::decode(&project_data)?;
    let referral_data = load_referral_account(referral_account, program)?;
    let referral = ReferralAccount::decode(&referral_data)?;
    let holding = TokenAccount::load(account, "referral_token_account")?;
    check_wallet(partner, "partner")?;
    Mint::load(mint, "mint")?;
    check_token_program(token_program)?;
    check_associated_token_program(associated_program)?;

    anchor::check_writable(admin, "admin")?;
    check_project(project_account, &project, program)?;
    check_named(admin, &project.admin, "project")?;
    // The public program panics.
    let name = referral.name.ok_or_else(|| anchor::CONSTRAINT_RAW.of("referral_account"))?;
    let project_address = project_account.address();
    let seeds: [&[u8]; 3] = [REFERRAL_SEED, &project_address.0, name];
    let bump = anchor::check_derived(referral_account, &seeds, program, "referral_account")?;
    check_referral(&referral, project_account, partner)?;
    check_associated(account, &holding, referral_account, mint, token_program)?;
    anchor::check_writable(account, "referral_token_account")?;
    anchor::check_writable(partner, "partner")?;
    CloseAccount { program: token_program, account, destination: partner, authority: referral_account }
        .invoke(&[&[REFERRAL_SEED, &project_address.0, name, &[bump]]])
}
