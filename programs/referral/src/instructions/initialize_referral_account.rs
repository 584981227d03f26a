//! The instruction `initialize_referral_account`.

use sluice_program::{anchor, system, Account, Address, Result};

use crate::checks::{check_payer, check_project, check_system_program, check_wallet};
use crate::events::log_new_referral_account;
use crate::state::{load_project, Project, ReferralAccount, REFERRAL_ACCOUNT_LEN};

/// Creates a referral account without a name at an address whose key signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (&[payer, partner, project_account, account, system_program], _) = anchor::accounts::<5>(accounts)?;
    anchor::check_signer(payer, "payer")?;
    check_wallet(partner, "partner")?;
    let data = load_project(project_account, program)?;
    let project = Project::decode(&data)?;
    check_system_program(system_program)?;

    check_payer(payer, account)?;
    system::Create { payer, account, space: REFERRAL_ACCOUNT_LEN, owner: program }.invoke(&[])?;
    anchor::check_writable(payer, "payer")?;
    check_project(project_account, &project, program)?;
    let referral = ReferralAccount {
        partner: *partner.address(),
        project: *project_account.address(),
        share_bps: project.default_share_bps,
        name: None,
    };
    referral.store(account)?;
    log_new_referral_account(account.address(), &referral)
}
