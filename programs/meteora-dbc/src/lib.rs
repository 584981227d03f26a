//! A stand-in for Meteora's dynamic bonding curve program: tokens that are sold along a curve until enough is raised,
//! and whose liquidity then moves into a pool of DAMM v2.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod activation;
mod curve;
mod error;
mod events;
mod fees;
mod hook_accounts;
mod instructions;
mod keys;
mod liquidity;
mod quote;
mod refused;
mod state;
mod supply;
mod token;

use instructions::{claim, config, creator, leftover, locker, migration, migration_fee, pool, surplus, swap};
use sluice_program::anchor::{self, named};
use sluice_program::{event, Account, Address, Result};

sluice_program::entrypoint!(process);

const CREATE_CONFIG: [u8; 8] = anchor::instruction("create_config");
const INITIALIZE_WITH_SPL_TOKEN: [u8; 8] = anchor::instruction("initialize_virtual_pool_with_spl_token");
const INITIALIZE_WITH_TOKEN2022: [u8; 8] = anchor::instruction("initialize_virtual_pool_with_token2022");
const TRANSFER_POOL_CREATOR: [u8; 8] = anchor::instruction("transfer_pool_creator");
const SWAP: [u8; 8] = anchor::instruction("swap");
const SWAP2: [u8; 8] = anchor::instruction("swap2");
const CLAIM_TRADING_FEE: [u8; 8] = anchor::instruction("claim_trading_fee");
const CLAIM_CREATOR_TRADING_FEE: [u8; 8] = anchor::instruction("claim_creator_trading_fee");
const CLAIM_TRADING_FEE2: [u8; 8] = anchor::instruction("claim_trading_fee2");
const CLAIM_CREATOR_TRADING_FEE2: [u8; 8] = anchor::instruction("claim_creator_trading_fee2");
const CREATE_LOCKER: [u8; 8] = anchor::instruction("create_locker");
const MIGRATION_DAMM_V2_CREATE_METADATA: [u8; 8] = anchor::instruction("migration_damm_v2_create_metadata");
const MIGRATION_DAMM_V2: [u8; 8] = anchor::instruction("migration_damm_v2");
const WITHDRAW_LEFTOVER: [u8; 8] = anchor::instruction("withdraw_leftover");
const CREATOR_WITHDRAW_SURPLUS: [u8; 8] = anchor::instruction("creator_withdraw_surplus");
const PARTNER_WITHDRAW_SURPLUS: [u8; 8] = anchor::instruction("partner_withdraw_surplus");
const WITHDRAW_MIGRATION_FEE: [u8; 8] = anchor::instruction("withdraw_migration_fee");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        SWAP => named("Swap", || swap::plain(accounts, args)),
        SWAP2 => named("Swap2", || swap::v2(accounts, args)),
        event::TAG => events::accept(accounts),
        CLAIM_TRADING_FEE => named("ClaimTradingFee", || claim::trading_fee(accounts, args)),
        CLAIM_CREATOR_TRADING_FEE => {
            named("ClaimCreatorTradingFee", || claim::creator_trading_fee(accounts, args))
        }
        CLAIM_TRADING_FEE2 => named("ClaimTradingFee2", || claim::trading_fee2(accounts, args)),
        CLAIM_CREATOR_TRADING_FEE2 => {
            named("ClaimCreatorTradingFee2", || claim::creator_trading_fee2(accounts, args))
        }
        INITIALIZE_WITH_SPL_TOKEN => {
            named("InitializeVirtualPoolWithSplToken", || pool::with_spl_token(accounts, args))
        }
        INITIALIZE_WITH_TOKEN2022 => {
            named("InitializeVirtualPoolWithToken2022", || pool::with_token_2022(accounts, args))
        }
        CREATE_CONFIG => named("CreateConfig", || config::create(accounts, args)),
        TRANSFER_POOL_CREATOR => named("TransferPoolCreator", || creator::transfer(accounts)),
        CREATE_LOCKER => named("CreateLocker", || locker::create(accounts)),
        MIGRATION_DAMM_V2_CREATE_METADATA => {
            named("MigrationDammV2CreateMetadata", || migration::damm_v2_create_metadata(accounts))
        }
        MIGRATION_DAMM_V2 => named("MigrationDammV2", || migration::damm_v2(accounts)),
        WITHDRAW_LEFTOVER => named("WithdrawLeftover", || leftover::withdraw(accounts)),
        CREATOR_WITHDRAW_SURPLUS => named("CreatorWithdrawSurplus", || surplus::withdraw_creator(accounts)),
        PARTNER_WITHDRAW_SURPLUS => named("PartnerWithdrawSurplus", || surplus::withdraw_partner(accounts)),
        WITHDRAW_MIGRATION_FEE => named("WithdrawMigrationFee", || migration_fee::withdraw(accounts, args)),
        _ => Err(refused::refuse(discriminator)),
    }
}
