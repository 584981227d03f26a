//! A stand-in for the liquidity program. It holds the tokens of all lending products, pays and charges interest, and
//! limits how fast each product may withdraw and borrow.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod checks;
mod error;
mod events;
mod instructions;
mod keys;
mod math;
mod refresh;
mod refused;
mod state;

use instructions::{
    authority, borrow_config, claim, exchange_price, init_liquidity, init_protocol, init_reserve, members,
    operate, pause, pre_operate, rates, revenue, status, supply_config, token_config, withdrawal_limit,
};
use refused::REFUSED;
use sluice_program::anchor::{self, named};
use sluice_program::{log, Account, Address, Result};

sluice_program::entrypoint!(process);

const PRE_OPERATE: [u8; 8] = anchor::instruction("pre_operate");
const OPERATE: [u8; 8] = anchor::instruction("operate");
const UPDATE_EXCHANGE_PRICE: [u8; 8] = anchor::instruction("update_exchange_price");
const INIT_CLAIM_ACCOUNT: [u8; 8] = anchor::instruction("init_claim_account");
const CLOSE_CLAIM_ACCOUNT: [u8; 8] = anchor::instruction("close_claim_account");
const CLAIM: [u8; 8] = anchor::instruction("claim");
const INIT_LIQUIDITY: [u8; 8] = anchor::instruction("init_liquidity");
const INIT_TOKEN_RESERVE: [u8; 8] = anchor::instruction("init_token_reserve");
const INIT_NEW_PROTOCOL: [u8; 8] = anchor::instruction("init_new_protocol");
const UPDATE_AUTHORITY: [u8; 8] = anchor::instruction("update_authority");
const UPDATE_AUTHS: [u8; 8] = anchor::instruction("update_auths");
const UPDATE_GUARDIANS: [u8; 8] = anchor::instruction("update_guardians");
const UPDATE_REVENUE_COLLECTOR: [u8; 8] = anchor::instruction("update_revenue_collector");
const COLLECT_REVENUE: [u8; 8] = anchor::instruction("collect_revenue");
const CHANGE_STATUS: [u8; 8] = anchor::instruction("change_status");
const UPDATE_RATE_DATA_V1: [u8; 8] = anchor::instruction("update_rate_data_v1");
const UPDATE_RATE_DATA_V2: [u8; 8] = anchor::instruction("update_rate_data_v2");
const UPDATE_TOKEN_CONFIG: [u8; 8] = anchor::instruction("update_token_config");
const UPDATE_USER_CLASS: [u8; 8] = anchor::instruction("update_user_class");
const UPDATE_USER_WITHDRAWAL_LIMIT: [u8; 8] = anchor::instruction("update_user_withdrawal_limit");
const UPDATE_USER_SUPPLY_CONFIG: [u8; 8] = anchor::instruction("update_user_supply_config");
const UPDATE_USER_BORROW_CONFIG: [u8; 8] = anchor::instruction("update_user_borrow_config");
const PAUSE_USER: [u8; 8] = anchor::instruction("pause_user");
const UNPAUSE_USER: [u8; 8] = anchor::instruction("unpause_user");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        OPERATE => named("Operate", || operate::run(accounts, args)),
        PRE_OPERATE => named("PreOperate", || pre_operate::run(accounts, args)),
        UPDATE_EXCHANGE_PRICE => named("UpdateExchangePrice", || exchange_price::run(accounts, args)),
        INIT_CLAIM_ACCOUNT => named("InitClaimAccount", || claim::create(accounts, args)),
        CLOSE_CLAIM_ACCOUNT => named("CloseClaimAccount", || claim::close(accounts, args)),
        CLAIM => named("Claim", || claim::pay(accounts, args)),
        _ => administer(discriminator, accounts, args),
    }
}

/// Runs an instruction of the administration.
#[inline(never)]
fn administer(discriminator: &[u8; 8], accounts: &[Account], args: &[u8]) -> Result {
    match *discriminator {
        INIT_LIQUIDITY => named("InitLiquidity", || init_liquidity::run(accounts, args)),
        INIT_TOKEN_RESERVE => named("InitTokenReserve", || init_reserve::run(accounts)),
        INIT_NEW_PROTOCOL => named("InitNewProtocol", || init_protocol::run(accounts, args)),
        UPDATE_AUTHORITY => named("UpdateAuthority", || authority::update(accounts, args)),
        UPDATE_REVENUE_COLLECTOR => {
            named("UpdateRevenueCollector", || authority::update_collector(accounts, args))
        }
        UPDATE_AUTHS => named("UpdateAuths", || members::update_auths(accounts, args)),
        UPDATE_GUARDIANS => named("UpdateGuardians", || members::update_guardians(accounts, args)),
        UPDATE_USER_CLASS => named("UpdateUserClass", || members::update_classes(accounts, args)),
        COLLECT_REVENUE => named("CollectRevenue", || revenue::run(accounts)),
        CHANGE_STATUS => named("ChangeStatus", || status::run(accounts, args)),
        UPDATE_RATE_DATA_V1 => named("UpdateRateDataV1", || rates::one_kink(accounts, args)),
        UPDATE_RATE_DATA_V2 => named("UpdateRateDataV2", || rates::two_kinks(accounts, args)),
        UPDATE_TOKEN_CONFIG => named("UpdateTokenConfig", || token_config::run(accounts, args)),
        UPDATE_USER_WITHDRAWAL_LIMIT => {
            named("UpdateUserWithdrawalLimit", || withdrawal_limit::run(accounts, args))
        }
        UPDATE_USER_SUPPLY_CONFIG => named("UpdateUserSupplyConfig", || supply_config::run(accounts, args)),
        UPDATE_USER_BORROW_CONFIG => named("UpdateUserBorrowConfig", || borrow_config::run(accounts, args)),
        PAUSE_USER => named("PauseUser", || pause::pause(accounts, args)),
        UNPAUSE_USER => named("UnpauseUser", || pause::resume(accounts, args)),
        _ => Err(refuse(discriminator)),
    }
}

/// Returns InstructionFallbackNotFound. If the public program has the instruction, a log line says that it is left
/// out.
fn refuse(discriminator: &[u8; 8]) -> sluice_program::ProgramError {
    if let Some((_, name)) = REFUSED.iter().find(|(tag, _)| tag == discriminator) {
        log::Line::new().text("this stand-in leaves out ").text(name).emit();
    }
    anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into()
}
