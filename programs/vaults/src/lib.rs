//! A stand-in for the program of the borrow vaults. Positions of collateral and debt are grouped into ticks by their
//! ratio, and a liquidation applies to all positions of a tick at once.
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
mod liquidate;
mod liquidity;
mod math;
mod operate;
mod oracle;
mod prices;
mod refused;
mod state;

use instructions::settings::{self, Setting};
use instructions::{
    admin, exchange_prices, init_branch, init_debt_map, init_past_tick, init_position, init_tick,
    init_vault_config, init_vault_state, lookup_table, oracle as update_oracle, rebalance,
};
use refused::REFUSED;
use sluice_program::anchor::{self, named};
use sluice_program::{log, Account, Address, Result};

sluice_program::entrypoint!(process);

const OPERATE: [u8; 8] = anchor::instruction("operate");
const LIQUIDATE: [u8; 8] = anchor::instruction("liquidate");
const INIT_POSITION: [u8; 8] = anchor::instruction("init_position");
const INIT_TICK: [u8; 8] = anchor::instruction("init_tick");
const INIT_TICK_ID_LIQUIDATION: [u8; 8] = anchor::instruction("init_tick_id_liquidation");
const INIT_TICK_HAS_DEBT_ARRAY: [u8; 8] = anchor::instruction("init_tick_has_debt_array");
const INIT_BRANCH: [u8; 8] = anchor::instruction("init_branch");
const GET_EXCHANGE_PRICES: [u8; 8] = anchor::instruction("get_exchange_prices");
const UPDATE_EXCHANGE_PRICES: [u8; 8] = anchor::instruction("update_exchange_prices");
const REBALANCE: [u8; 8] = anchor::instruction("rebalance");
const INIT_VAULT_ADMIN: [u8; 8] = anchor::instruction("init_vault_admin");
const INIT_VAULT_CONFIG: [u8; 8] = anchor::instruction("init_vault_config");
const INIT_VAULT_STATE: [u8; 8] = anchor::instruction("init_vault_state");
const UPDATE_AUTHORITY: [u8; 8] = anchor::instruction("update_authority");
const UPDATE_AUTHS: [u8; 8] = anchor::instruction("update_auths");
const UPDATE_CORE_SETTINGS: [u8; 8] = anchor::instruction("update_core_settings");
const UPDATE_SUPPLY_RATE_MAGNIFIER: [u8; 8] = anchor::instruction("update_supply_rate_magnifier");
const UPDATE_BORROW_RATE_MAGNIFIER: [u8; 8] = anchor::instruction("update_borrow_rate_magnifier");
const UPDATE_COLLATERAL_FACTOR: [u8; 8] = anchor::instruction("update_collateral_factor");
const UPDATE_LIQUIDATION_THRESHOLD: [u8; 8] = anchor::instruction("update_liquidation_threshold");
const UPDATE_LIQUIDATION_MAX_LIMIT: [u8; 8] = anchor::instruction("update_liquidation_max_limit");
const UPDATE_WITHDRAW_GAP: [u8; 8] = anchor::instruction("update_withdraw_gap");
const UPDATE_LIQUIDATION_PENALTY: [u8; 8] = anchor::instruction("update_liquidation_penalty");
const UPDATE_BORROW_FEE: [u8; 8] = anchor::instruction("update_borrow_fee");
const UPDATE_REBALANCER: [u8; 8] = anchor::instruction("update_rebalancer");
const UPDATE_ORACLE: [u8; 8] = anchor::instruction("update_oracle");
const UPDATE_LOOKUP_TABLE: [u8; 8] = anchor::instruction("update_lookup_table");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        OPERATE => named("Operate", || operate::run(accounts, args)),
        LIQUIDATE => named("Liquidate", || liquidate::run(accounts, args)),
        INIT_POSITION => named("InitPosition", || init_position::run(accounts, args)),
        INIT_TICK => named("InitTick", || init_tick::run(accounts, args)),
        INIT_TICK_ID_LIQUIDATION => named("InitTickIdLiquidation", || init_past_tick::run(accounts, args)),
        INIT_TICK_HAS_DEBT_ARRAY => named("InitTickHasDebtArray", || init_debt_map::run(accounts, args)),
        INIT_BRANCH => named("InitBranch", || init_branch::run(accounts, args)),
        GET_EXCHANGE_PRICES => named("GetExchangePrices", || exchange_prices::get(accounts)),
        UPDATE_EXCHANGE_PRICES => named("UpdateExchangePrices", || exchange_prices::update(accounts, args)),
        _ => administer(discriminator, accounts, args),
    }
}

/// Runs an instruction of the administration.
#[inline(never)]
fn administer(discriminator: &[u8; 8], accounts: &[Account], args: &[u8]) -> Result {
    match *discriminator {
        REBALANCE => named("Rebalance", || rebalance::run(accounts)),
        INIT_VAULT_ADMIN => named("InitVaultAdmin", || admin::create(accounts, args)),
        INIT_VAULT_CONFIG => named("InitVaultConfig", || init_vault_config::run(accounts, args)),
        INIT_VAULT_STATE => named("InitVaultState", || init_vault_state::run(accounts, args)),
        UPDATE_AUTHORITY => named("UpdateAuthority", || admin::update_authority(accounts, args)),
        UPDATE_AUTHS => named("UpdateAuths", || admin::update_auths(accounts, args)),
        UPDATE_CORE_SETTINGS => named("UpdateCoreSettings", || settings::core(accounts, args)),
        UPDATE_BORROW_FEE => named("UpdateBorrowFee", || settings::borrow_fee(accounts, args)),
        UPDATE_REBALANCER => named("UpdateRebalancer", || settings::rebalancer(accounts, args)),
        UPDATE_ORACLE => named("UpdateOracle", || update_oracle::run(accounts, args)),
        UPDATE_LOOKUP_TABLE => named("UpdateLookupTable", || lookup_table::run(accounts, args)),
        _ => match setting(discriminator) {
            Some((name, setting)) => named(name, || settings::one(setting, accounts, args)),
            None => refuse(discriminator),
        },
    }
}

/// Returns the name and the setting of an instruction that changes a single setting.
fn setting(discriminator: &[u8; 8]) -> Option<(&'static str, Setting)> {
    Some(match *discriminator {
        UPDATE_SUPPLY_RATE_MAGNIFIER => ("UpdateSupplyRateMagnifier", Setting::SupplyRateMagnifier),
        UPDATE_BORROW_RATE_MAGNIFIER => ("UpdateBorrowRateMagnifier", Setting::BorrowRateMagnifier),
        UPDATE_COLLATERAL_FACTOR => ("UpdateCollateralFactor", Setting::CollateralFactor),
        UPDATE_LIQUIDATION_THRESHOLD => ("UpdateLiquidationThreshold", Setting::LiquidationThreshold),
        UPDATE_LIQUIDATION_MAX_LIMIT => ("UpdateLiquidationMaxLimit", Setting::LiquidationMaxLimit),
        UPDATE_WITHDRAW_GAP => ("UpdateWithdrawGap", Setting::WithdrawGap),
        UPDATE_LIQUIDATION_PENALTY => ("UpdateLiquidationPenalty", Setting::LiquidationPenalty),
        _ => return None,
    })
}

fn refuse(discriminator: &[u8; 8]) -> Result {
    if REFUSED.contains(discriminator) {
        log::text("this stand-in leaves out this instruction of the public program");
    }
    Err(anchor::INSTRUCTION_FALLBACK_NOT_FOUND.into())
}
