//! The instruction `initialize_referral_token_account`.

use sluice_program::anchor::{self, CreateDerived};
use sluice_program::token::{self, InitializeAccount3, Mint};
use sluice_program::{Account, Address, Result};

use crate::checks::{check_named, check_payer, check_project, check_system_program, check_token_program};
use crate::events::log_new_token_account;
use crate::fees::ProjectTokens;
use crate::state::{load_project, load_referral_account, Project, ReferralAccount, REFERRAL_ATA_SEED};

/// Creates a token account of the older kind, which belongs to the project.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (&[payer, project_account, referral_account, account, mint, system_program, token_program], _) =
        anchor::accounts::<7>(accounts)?;
    anchor::check_signer(payer, "payer")?;
    let data = load_project(project_account, program)?;
    let project = Project::decode(&data)?;
    let referral_project =
        ReferralAccount::decode(&load_referral_account(referral_account, program)?)?.project;
    Mint::load(mint, "mint")?;
    check_system_program(system_program)?;
    check_token_program(token_program)?;

    let space = token::account_size(&mint.data()?, false);
    check_payer(payer, account)?;
    CreateDerived {
        payer,
        account,
        seeds: &[REFERRAL_ATA_SEED, &referral_account.address().0, &mint.address().0],
        space,
        program,
        owner: token_program.address(),
        name: "referral_token_account",
    }
    .invoke()?;
    let tokens = ProjectTokens::new(project_account, &project, referral_account, account, mint);
    InitializeAccount3 { program: token_program, account, mint, owner: tokens.owner().address() }.invoke()?;

    anchor::check_writable(payer, "payer")?;
    check_project(project_account, &project, program)?;
    check_named(project_account, &referral_project, "referral_account")?;
    log_new_token_account([
        project_account.address(),
        referral_account.address(),
        account.address(),
        mint.address(),
    ])
}
