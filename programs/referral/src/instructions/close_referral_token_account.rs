//! The instruction `close_referral_token_account`.

use sluice_program::token::{CloseAccount, Mint, TokenAccount};
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::{
    check_named, check_project, check_referral, check_referral_tokens, check_token_program, check_wallet,
    Expected,
};
use crate::fees::ProjectTokens;
use crate::state::{load_project, load_referral_account, Project, ReferralAccount};

/// Closes an empty token account of the older kind, and pays its rent to the partner. The project's admin signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (&[admin, project_account, referral_account, account, partner, mint, token_program], _) =
        anchor::accounts::<7>(accounts)?;
    anchor::check_signer(admin, "admin")?;
    let project_data = load_project(project_account, program)?;
    let project = Project::decode(&project_data)?;
    let referral_data = load_referral_account(referral_account, program)?;
    let referral = ReferralAccount::decode(&referral_data)?;
    let holding = TokenAccount::load(account, "referral_token_account")?;
    check_wallet(partner, "partner")?;
    Mint::load(mint, "mint")?;
    check_token_program(token_program)?;

    anchor::check_writable(admin, "admin")?;
    let project_bump = check_project(project_account, &project, program)?;
    check_named(admin, &project.admin, "project")?;
    check_referral(&referral, project_account, partner)?;
    let tokens = ProjectTokens::new(project_account, &project, referral_account, account, mint);
    let account_bump = check_referral_tokens(account, referral_account, mint, program)?;
    anchor::check_writable(account, "referral_token_account")?;
    Expected {
        owner: tokens.owner().address(),
        mint,
        token_program: Some(token_program),
        name: "referral_token_account",
    }
    .check(account, &holding)?;
    anchor::check_writable(partner, "partner")?;
    let close =
        CloseAccount { program: token_program, account, destination: partner, authority: tokens.owner() };
    tokens.sign(&project.base, project_bump, account_bump, |signers| close.invoke(signers))
}
