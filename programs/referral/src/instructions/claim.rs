//! The instruction `claim`.

use sluice_program::token::{Mint, TokenAccount};
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::{
    check_associated_token_program, check_named, check_project, check_referral, check_referral_tokens,
    check_system_program, check_token_program, check_wallet, Expected,
};
use crate::events::log_claim;
use crate::fees::{Parts, Payment, ProjectTokens};
use crate::state::{load_project, load_referral_account, Project, ReferralAccount};

/// Divides what a token account of the older kind holds between the partner and the project's admin. Anybody may ask:
/// the tokens go to these two in any case.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<12>(accounts)?;
    let &[payer, project_account, admin, admin_tokens, referral_account, source, others @ ..] = accounts;
    let [partner, partner_tokens, mint, associated_program, system_program, token_program] = others;
    anchor::check_signer(payer, "payer")?;
    let project_data = load_project(project_account, program)?;
    let project = Project::decode(&project_data)?;
    check_wallet(admin, "admin")?;
    let admin_holding = TokenAccount::load(admin_tokens, "project_admin_token_account")?;
    let referral_data = load_referral_account(referral_account, program)?;
    let referral = ReferralAccount::decode(&referral_data)?;
    let collected = TokenAccount::load(source, "referral_token_account")?;
    check_wallet(partner, "partner")?;
    let partner_holding = TokenAccount::load(partner_tokens, "partner_token_account")?;
    let Mint { decimals, .. } = Mint::load(mint, "mint")?;
    check_associated_token_program(associated_program)?;
    check_system_program(system_program)?;
    check_token_program(token_program)?;

    anchor::check_writable(payer, "payer")?;
    let project_bump = check_project(project_account, &project, program)?;
    check_named(admin, &project.admin, "project")?;
    anchor::check_writable(admin_tokens, "project_admin_token_account")?;
    Expected {
        owner: admin.address(),
        mint,
        token_program: Some(token_program),
        name: "project_admin_token_account",
    }
    .check(admin_tokens, &admin_holding)?;
    check_referral(&referral, project_account, partner)?;
    let tokens = ProjectTokens::new(project_account, &project, referral_account, source, mint);
    let source_bump = check_referral_tokens(source, referral_account, mint, program)?;
    anchor::check_writable(source, "referral_token_account")?;
    Expected { owner: tokens.owner().address(), mint, token_program: None, name: "referral_token_account" }
        .check(source, &collected)?;
    anchor::check_writable(partner_tokens, "partner_token_account")?;
    Expected {
        owner: partner.address(),
        mint,
        token_program: Some(token_program),
        name: "partner_token_account",
    }
    .check(partner_tokens, &partner_holding)?;

    let parts = Parts::of(collected.amount, referral.share_bps)?;
    let payment = Payment {
        token_program,
        mint,
        decimals,
        source,
        authority: tokens.owner(),
        partner_tokens,
        admin_tokens,
    };
    tokens.sign(&project.base, project_bump, source_bump, |signers| payment.pay(&parts, signers))?;
    log_claim(
        [
            project_account.address(),
            admin_tokens.address(),
            referral_account.address(),
            source.address(),
            partner_tokens.address(),
            mint.address(),
        ],
        parts.partner,
        parts.project,
    )
}
