//! A stand-in for Raydium's constant-product program: pools of two tokens whose product of reserves never falls.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod curve;
mod error;
mod instructions;
mod keys;
mod mint;
mod state;
mod transfer;

use instructions::{
    collect_creator_fee, collect_fee, config, initialize, liquidity, permission, status, swap,
};
use sluice_program::anchor::{self, named};
use sluice_program::{log, Account, Address, Result};

sluice_program::entrypoint!(process);

const CREATE_AMM_CONFIG: [u8; 8] = anchor::instruction("create_amm_config");
const UPDATE_AMM_CONFIG: [u8; 8] = anchor::instruction("update_amm_config");
const UPDATE_POOL_STATUS: [u8; 8] = anchor::instruction("update_pool_status");
const COLLECT_PROTOCOL_FEE: [u8; 8] = anchor::instruction("collect_protocol_fee");
const COLLECT_FUND_FEE: [u8; 8] = anchor::instruction("collect_fund_fee");
const COLLECT_CREATOR_FEE: [u8; 8] = anchor::instruction("collect_creator_fee");
const COLLECT_CREATOR_FEE_PERMISSIONLESS: [u8; 8] = anchor::instruction("collect_creator_fee_permissionless");
const CREATE_PERMISSION_PDA: [u8; 8] = anchor::instruction("create_permission_pda");
const CLOSE_PERMISSION_PDA: [u8; 8] = anchor::instruction("close_permission_pda");
const INITIALIZE: [u8; 8] = anchor::instruction("initialize");
const INITIALIZE_WITH_PERMISSION: [u8; 8] = anchor::instruction("initialize_with_permission");
const DEPOSIT: [u8; 8] = anchor::instruction("deposit");
const WITHDRAW: [u8; 8] = anchor::instruction("withdraw");
const SWAP_BASE_INPUT: [u8; 8] = anchor::instruction("swap_base_input");
const SWAP_BASE_OUTPUT: [u8; 8] = anchor::instruction("swap_base_output");

/// The instructions of the public program that only its operator uses. They are refused.
const REFUSED: [[u8; 8]; 5] = [
    anchor::instruction("create_support_mint_associated"),
    anchor::instruction("close_support_mint_associated"),
    anchor::instruction("create_creator_fee_share"),
    anchor::instruction("close_creator_fee_share"),
    anchor::instruction("collect_excess_lamports"),
];

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        SWAP_BASE_INPUT => named("SwapBaseInput", || swap::base_input(accounts, args)),
        SWAP_BASE_OUTPUT => named("SwapBaseOutput", || swap::base_output(accounts, args)),
        DEPOSIT => named("Deposit", || liquidity::deposit(accounts, args)),
        WITHDRAW => named("Withdraw", || liquidity::withdraw(accounts, args)),
        INITIALIZE => named("Initialize", || initialize::by_anyone(accounts, args)),
        INITIALIZE_WITH_PERMISSION => {
            named("InitializeWithPermission", || initialize::with_permission(accounts, args))
        }
        COLLECT_PROTOCOL_FEE => named("CollectProtocolFee", || collect_fee::protocol(accounts, args)),
        COLLECT_FUND_FEE => named("CollectFundFee", || collect_fee::fund(accounts, args)),
        COLLECT_CREATOR_FEE => named("CollectCreatorFee", || collect_creator_fee::by_creator(accounts)),
        COLLECT_CREATOR_FEE_PERMISSIONLESS => {
            named("CollectCreatorFeePermissionless", || collect_creator_fee::by_anyone(accounts))
        }
        CREATE_AMM_CONFIG => named("CreateAmmConfig", || config::create(accounts, args)),
        UPDATE_AMM_CONFIG => named("UpdateAmmConfig", || config::update(accounts, args)),
        UPDATE_POOL_STATUS => named("UpdatePoolStatus", || status::update(accounts, args)),
        CREATE_PERMISSION_PDA => named("CreatePermissionPda", || permission::create(accounts)),
        CLOSE_PERMISSION_PDA => named("ClosePermissionPda", || permission::close(accounts)),
        _ => {
            if REFUSED.contains(discriminator) {
                log::text("this stand-in leaves out this instruction of the public program");
            }
            Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into())
        }
    }
}
