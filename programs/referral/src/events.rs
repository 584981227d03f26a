//! The events that the program logs.

use sluice_program::bytes::Writer;
use sluice_program::{anchor, log, Address, Result};

use crate::state::{write_optional_text, write_text, Project, ReferralAccount};

const INITIALIZE_PROJECT: [u8; 8] = anchor::event("InitializeProjectEvent");
const UPDATE_PROJECT: [u8; 8] = anchor::event("UpdateProjectEvent");
const INITIALIZE_REFERRAL_ACCOUNT: [u8; 8] = anchor::event("InitializeReferralAccountEvent");
const UPDATE_REFERRAL_ACCOUNT: [u8; 8] = anchor::event("UpdateReferralAccountEvent");
const INITIALIZE_REFERRAL_TOKEN_ACCOUNT: [u8; 8] = anchor::event("InitializeReferralTokenAccountEvent");
const CLAIM: [u8; 8] = anchor::event("ClaimEvent");

/// The longest event is that of a new project, whose name has up to 196 bytes.
const LONGEST: usize = 8 + 32 + 32 + 4 + 206 + 2;

#[inline(always)]
fn log_event(tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut buffer = [0; LONGEST];
    let mut event = Writer::new(&mut buffer);
    event.array(tag)?;
    write(&mut event)?;
    log::data(&[event.written()]);
    Ok(())
}

#[inline(never)]
pub fn log_new_project(address: &Address, project: &Project) -> Result {
    log_event(&INITIALIZE_PROJECT, |event| {
        event.address(address)?;
        event.address(&project.admin)?;
        write_text(event, project.name)?;
        event.u16(project.default_share_bps)
    })
}

#[inline(never)]
pub fn log_project_update(address: &Address, project: &Project) -> Result {
    log_event(&UPDATE_PROJECT, |event| {
        event.address(address)?;
        write_text(event, project.name)?;
        event.u16(project.default_share_bps)
    })
}

#[inline(never)]
pub fn log_new_referral_account(address: &Address, referral: &ReferralAccount) -> Result {
    log_event(&INITIALIZE_REFERRAL_ACCOUNT, |event| {
        event.address(&referral.project)?;
        event.address(&referral.partner)?;
        event.address(address)?;
        event.u16(referral.share_bps)?;
        write_optional_text(event, referral.name)
    })
}

#[inline(never)]
pub fn log_share_update(referral_account: &Address, share_bps: u16) -> Result {
    log_event(&UPDATE_REFERRAL_ACCOUNT, |event| {
        event.address(referral_account)?;
        event.u16(share_bps)
    })
}

/// Logs a new token account. `addresses` are the project, the referral account, the token account and the mint.
#[inline(never)]
pub fn log_new_token_account(addresses: [&Address; 4]) -> Result {
    log_event(&INITIALIZE_REFERRAL_TOKEN_ACCOUNT, |event| {
        for address in addresses {
            event.address(address)?;
        }
        Ok(())
    })
}

/// Logs a claim. `addresses` are the project, the admin's token account, the referral account, its token account, the
/// partner's token account and the mint.
#[inline(never)]
pub fn log_claim(addresses: [&Address; 6], referral_amount: u64, project_amount: u64) -> Result {
    log_event(&CLAIM, |event| {
        for address in addresses {
            event.address(address)?;
        }
        event.u64(referral_amount)?;
        event.u64(project_amount)
    })
}
