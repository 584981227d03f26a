//! The instruction `initialize_referral_account_with_name`.

use sluice_program::anchor::{self, CreateDerived};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, ProgramError, Result};

use crate::checks::{check_payer, check_project, check_system_program, check_wallet};
use crate::errors::NAME_TOO_LONG;
use crate::events::log_new_referral_account;
use crate::state::{
    count_characters, load_project, read_text, Project, ReferralAccount, REFERRAL_ACCOUNT_LEN, REFERRAL_SEED,
};

/// Names have fewer characters than this.
const NAME_CHARACTERS: usize = 20;
/// No address can be derived from more bytes.
const MAX_SEED_LEN: usize = 32;

/// Creates a referral account at the address that the project and the name derive. Only the payer signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let name = anchor::decoded(read_text(&mut Reader::new(args)))?;
    let (&[payer, partner, project_account, account, system_program], _) = anchor::accounts::<5>(accounts)?;
    anchor::check_signer(payer, "payer")?;
    check_wallet(partner, "partner")?;
    let data = load_project(project_account, program)?;
    let project = Project::decode(&data)?;
    check_system_program(system_program)?;

    // The public program panics.
    if name.len() > MAX_SEED_LEN {
        return Err(ProgramError::MAX_SEED_LENGTH_EXCEEDED);
    }
    check_payer(payer, account)?;
    CreateDerived {
        payer,
        account,
        seeds: &[REFERRAL_SEED, &project_account.address().0, name],
        space: REFERRAL_ACCOUNT_LEN,
        program,
        owner: program,
        name: "referral_account",
    }
    .invoke()?;
    anchor::check_writable(payer, "payer")?;
    check_project(project_account, &project, program)?;
    if count_characters(name) >= NAME_CHARACTERS {
        return Err(NAME_TOO_LONG.into());
    }
    let referral = ReferralAccount {
        partner: *partner.address(),
        project: *project_account.address(),
        share_bps: project.default_share_bps,
        name: Some(name),
    };
    referral.store(account)?;
    log_new_referral_account(account.address(), &referral)
}
