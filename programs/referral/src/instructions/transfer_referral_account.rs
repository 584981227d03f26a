//! The instruction `transfer_referral_account`.

use sluice_program::{anchor, bytes, Account, Address, Result};

use crate::checks::{check_named, check_wallet};
use crate::state::{load_referral_account, ReferralAccount, PARTNER_OFFSET};

/// Gives a referral account to another partner. The present one signs.
#[inline(never)]
pub fn run(program: &Address, accounts: &[Account]) -> Result {
    let (&[partner, new_partner, account], _) = anchor::accounts::<3>(accounts)?;
    anchor::check_signer(partner, "partner")?;
    check_wallet(new_partner, "new_partner")?;
    let present = ReferralAccount::decode(&load_referral_account(account, program)?)?.partner;
    anchor::check_writable(account, "referral_account")?;
    check_named(partner, &present, "referral_account")?;
    bytes::put(&mut account.data_mut()?, PARTNER_OFFSET, &new_partner.address().0)
}
