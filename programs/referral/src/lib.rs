//! A stand-in for the public referral program: a project shares the fees of swaps with its partners.
//!
//! A partner has a referral account under a project. Swaps pay their fees into token accounts of the referral account,
//! and a claim divides what has been collected between the partner and the project's admin. Instructions, accounts,
//! layouts, rounding, error codes and events are those of the public program, whose source (`TeamRaccoons/referral`) was
//! read for what it does. `programs/README.md` says what differs.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod errors;
mod events;
mod fees;
mod instructions;
mod state;
mod tokens;

use instructions::{
    claim, claim_v2, close_referral_token_account, close_referral_token_account_v2,
    create_admin_token_account, initialize_project, initialize_referral_account,
    initialize_referral_account_with_name, initialize_referral_token_account, transfer_project,
    transfer_referral_account, update_project, update_referral_account, withdraw_from_project,
};
use sluice_program::anchor::{self, named};
use sluice_program::{Account, Address, Result};

sluice_program::entrypoint!(process);

const INITIALIZE_PROJECT: [u8; 8] = anchor::instruction("initialize_project");
const UPDATE_PROJECT: [u8; 8] = anchor::instruction("update_project");
const TRANSFER_PROJECT: [u8; 8] = anchor::instruction("transfer_project");
const UPDATE_REFERRAL_ACCOUNT: [u8; 8] = anchor::instruction("update_referral_account");
const WITHDRAW_FROM_PROJECT: [u8; 8] = anchor::instruction("withdraw_from_project");
const CREATE_ADMIN_TOKEN_ACCOUNT: [u8; 8] = anchor::instruction("create_admin_token_account");
const INITIALIZE_REFERRAL_ACCOUNT: [u8; 8] = anchor::instruction("initialize_referral_account");
const INITIALIZE_REFERRAL_ACCOUNT_WITH_NAME: [u8; 8] =
    anchor::instruction("initialize_referral_account_with_name");
const TRANSFER_REFERRAL_ACCOUNT: [u8; 8] = anchor::instruction("transfer_referral_account");
const INITIALIZE_REFERRAL_TOKEN_ACCOUNT: [u8; 8] = anchor::instruction("initialize_referral_token_account");
const CLAIM: [u8; 8] = anchor::instruction("claim");
const CLOSE_REFERRAL_TOKEN_ACCOUNT: [u8; 8] = anchor::instruction("close_referral_token_account");
const CLAIM_V2: [u8; 8] = anchor::instruction("claim_v2");
const CLOSE_REFERRAL_TOKEN_ACCOUNT_V2: [u8; 8] = anchor::instruction("close_referral_token_account_v2");

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    if data.len() < 8 {
        return Err(errors::INSTRUCTION_MISSING.into());
    }
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        CLAIM_V2 => named("ClaimV2", || claim_v2::run(program, accounts)),
        CLAIM => named("Claim", || claim::run(program, accounts)),
        CREATE_ADMIN_TOKEN_ACCOUNT => {
            named("CreateAdminTokenAccount", || create_admin_token_account::run(program, accounts))
        }
        INITIALIZE_REFERRAL_ACCOUNT => {
            named("InitializeReferralAccount", || initialize_referral_account::run(program, accounts))
        }
        INITIALIZE_REFERRAL_ACCOUNT_WITH_NAME => named("InitializeReferralAccountWithName", || {
            initialize_referral_account_with_name::run(program, accounts, args)
        }),
        INITIALIZE_REFERRAL_TOKEN_ACCOUNT => named("InitializeReferralTokenAccount", || {
            initialize_referral_token_account::run(program, accounts)
        }),
        TRANSFER_REFERRAL_ACCOUNT => {
            named("TransferReferralAccount", || transfer_referral_account::run(program, accounts))
        }
        _ => administer(program, accounts, data),
    }
}

/// Runs an instruction of a project's admin.
#[inline(never)]
fn administer(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        INITIALIZE_PROJECT => named("InitializeProject", || initialize_project::run(program, accounts, args)),
        UPDATE_PROJECT => named("UpdateProject", || update_project::run(program, accounts, args)),
        TRANSFER_PROJECT => named("TransferProject", || transfer_project::run(program, accounts)),
        UPDATE_REFERRAL_ACCOUNT => {
            named("UpdateReferralAccount", || update_referral_account::run(program, accounts, args))
        }
        WITHDRAW_FROM_PROJECT => {
            named("WithdrawFromProject", || withdraw_from_project::run(program, accounts, args))
        }
        CLOSE_REFERRAL_TOKEN_ACCOUNT => {
            named("CloseReferralTokenAccount", || close_referral_token_account::run(program, accounts))
        }
        CLOSE_REFERRAL_TOKEN_ACCOUNT_V2 => {
            named("CloseReferralTokenAccountV2", || close_referral_token_account_v2::run(program, accounts))
        }
        _ => Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()),
    }
}
