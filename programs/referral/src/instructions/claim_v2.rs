//! The instruction `claim_v2`.

use sluice_program::token::{Mint, TokenAccount};
use sluice_program::{anchor, Account, Address, Result};

use crate::checks::{
    check_associated, check_associated_token_program, check_named, check_project, check_referral,
    check_system_program, check_token_program, check_wallet,
};
use crate::events::log_claim;
use crate::fees::{Parts, Payment};
use crate::state::{load_project, load_referral_account, Project, ReferralAccount, REFERRAL_SEED};
use crate::tokens::AssociatedTokens;

/// Divides what the associated token account of a named referral account holds between the partner and the project's
/// admin, and opens their accounts if they have none. Anybody may ask: the tokens go to these two in any case.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<12>(accounts)?;
    let &[payer, project_account, admin, admin_tokens, referral_account, source, others @ ..] = accounts;
    let [partner, partner_tokens, mint, system_program, token_program, associated_program] = others;
    anchor::check_signer(payer, "payer")?;
    let project_data = load_project(project_account, program)?;
    let project = Project::decode(&project_data)?;
    check_wallet(admin, "admin")?;
    let referral_data = load_referral_account(referral_account, program)?;
    let referral = ReferralAccount::decode(&referral_data)?;
    let collected = TokenAccount::load(source, "referral_token_account")?;
    check_wallet(partner, "partner")?;
    let Mint { decimals, .. } = Mint::load(mint, "mint")?;
    check_system_program(system_program)?;
    check_token_program(token_program)?;
    check_associated_token_program(associated_program)?;

    let opened = [
        (admin_tokens, admin, "project_admin_token_account"),
        (partner_tokens, partner, "partner_token_account"),
    ];
    for (account, wallet, name) in opened {
        AssociatedTokens { payer, account, wallet, mint, system_program, token_program, name }
            .open_or_check()?;
    }
    anchor::check_writable(payer, "payer")?;
    check_project(project_account, &project, program)?;
    check_named(admin, &project.admin, "project")?;
    for (account, _, name) in opened {
        anchor::check_writable(account, name)?;
    }
    // The public program panics.
    let name = referral.name.ok_or_else(|| anchor::CONSTRAINT_RAW.of("referral_account"))?;
    let project_address = project_account.address();
    let seeds: [&[u8]; 3] = [REFERRAL_SEED, &project_address.0, name];
    let bump = anchor::check_derived(referral_account, &seeds, program, "referral_account")?;
    check_referral(&referral, project_account, partner)?;
    check_associated(source, &collected, referral_account, mint, token_program)?;
    anchor::check_writable(source, "referral_token_account")?;

    let parts = Parts::of(collected.amount, referral.share_bps)?;
    Payment {
        token_program,
        mint,
        decimals,
        source,
        authority: referral_account,
        partner_tokens,
        admin_tokens,
    }
    .pay(&parts, &[&[REFERRAL_SEED, &project_address.0, name, &[bump]]])?;
    log_claim(
        [
            project_address,
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
