//! A stand-in for the program of the earn tokens. It deposits tokens at the liquidity program and issues shares that
//! grow in value.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod accounts;
mod error;
mod events;
mod instructions;
mod keys;
mod rates;
mod state;

use instructions::{admin, deposit, init_lending, rewards_model, update_rate, withdraw};
use sluice_program::anchor::{self, named};
use sluice_program::{log, Account, Address, Result};

sluice_program::entrypoint!(process);

const DEPOSIT: [u8; 8] = anchor::instruction("deposit");
const DEPOSIT_WITH_MIN_AMOUNT_OUT: [u8; 8] = anchor::instruction("deposit_with_min_amount_out");
const MINT: [u8; 8] = anchor::instruction("mint");
const MINT_WITH_MAX_ASSETS: [u8; 8] = anchor::instruction("mint_with_max_assets");
const WITHDRAW: [u8; 8] = anchor::instruction("withdraw");
const WITHDRAW_WITH_MAX_SHARES_BURN: [u8; 8] = anchor::instruction("withdraw_with_max_shares_burn");
const REDEEM: [u8; 8] = anchor::instruction("redeem");
const REDEEM_WITH_MIN_AMOUNT_OUT: [u8; 8] = anchor::instruction("redeem_with_min_amount_out");
const UPDATE_RATE: [u8; 8] = anchor::instruction("update_rate");
const INIT_LENDING_ADMIN: [u8; 8] = anchor::instruction("init_lending_admin");
const INIT_LENDING: [u8; 8] = anchor::instruction("init_lending");
const SET_REWARDS_RATE_MODEL: [u8; 8] = anchor::instruction("set_rewards_rate_model");
const UPDATE_AUTHORITY: [u8; 8] = anchor::instruction("update_authority");
const UPDATE_AUTHS: [u8; 8] = anchor::instruction("update_auths");
const UPDATE_REBALANCER: [u8; 8] = anchor::instruction("update_rebalancer");

/// The instructions of the public program that only its operator uses. They are refused.
const REFUSED: [[u8; 8]; 2] =
    [anchor::instruction("rebalance"), anchor::instruction("rebalance_with_amounts")];

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        DEPOSIT => named("Deposit", || deposit::assets(accounts, args)),
        DEPOSIT_WITH_MIN_AMOUNT_OUT => {
            named("DepositWithMinAmountOut", || deposit::assets_with_minimum(accounts, args))
        }
        MINT => named("Mint", || deposit::shares(accounts, args)),
        MINT_WITH_MAX_ASSETS => named("MintWithMaxAssets", || deposit::shares_with_maximum(accounts, args)),
        WITHDRAW => named("Withdraw", || withdraw::assets(accounts, args)),
        WITHDRAW_WITH_MAX_SHARES_BURN => {
            named("WithdrawWithMaxSharesBurn", || withdraw::assets_with_maximum(accounts, args))
        }
        REDEEM => named("Redeem", || withdraw::shares(accounts, args)),
        REDEEM_WITH_MIN_AMOUNT_OUT => {
            named("RedeemWithMinAmountOut", || withdraw::shares_with_minimum(accounts, args))
        }
        UPDATE_RATE => named("UpdateRate", || update_rate::run(accounts)),
        _ => administer(discriminator, accounts, args),
    }
}

/// Runs an instruction of the administration.
#[inline(never)]
fn administer(discriminator: &[u8; 8], accounts: &[Account], args: &[u8]) -> Result {
    match *discriminator {
        INIT_LENDING_ADMIN => named("InitLendingAdmin", || admin::create(accounts, args)),
        INIT_LENDING => named("InitLending", || init_lending::run(accounts, args)),
        SET_REWARDS_RATE_MODEL => named("SetRewardsRateModel", || rewards_model::run(accounts, args)),
        UPDATE_AUTHORITY => named("UpdateAuthority", || admin::update_authority(accounts, args)),
        UPDATE_AUTHS => named("UpdateAuths", || admin::update_auths(accounts, args)),
        UPDATE_REBALANCER => named("UpdateRebalancer", || admin::update_rebalancer(accounts, args)),
        _ => {
            if REFUSED.contains(discriminator) {
                log::text("this stand-in leaves out this instruction of the public program");
            }
            Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into())
        }
    }
}
