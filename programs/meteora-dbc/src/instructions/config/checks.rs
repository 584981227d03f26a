//! The checks of a new configuration's terms, in the order of the public program.

use super::fees::{check as check_fees, check_migrated, has_no_migrated_fees};
use super::parameters::Parts;
use crate::activation::SECOND;
use crate::error::{
    require, INVALID_COLLECT_FEE_MODE, INVALID_CREATOR_TRADING_FEE_PERCENTAGE, INVALID_FEE_PERCENTAGE,
    INVALID_MIGRATED_POOL_FEE, INVALID_MIGRATION_FEE_OPTION, INVALID_MIGRATION_OPTION,
    INVALID_MIGRATOR_FEE_PERCENTAGE, INVALID_POOL_CREATION_FEE, INVALID_QUOTE_MINT, INVALID_QUOTE_THRESHOLD,
    INVALID_TOKEN_AUTHORITY_OPTION, INVALID_TOKEN_DECIMALS, INVALID_TOKEN_TYPE, MATH_OVERFLOW,
    TYPE_CAST_FAILED,
};
use crate::state::config::{PoolConfig, CUSTOMIZABLE, DAMM_V1, DAMM_V2, OUTPUT_TOKEN, TOKEN_2022};
use crate::token::is_supported_quote;
use sluice_program::sysvar::Clock;
use sluice_program::{log, Account, Result};

const MAX_AUTHORITY_OPTION: u8 = 4;
const MAX_MIGRATION_FEE_PERCENTAGE: u8 = 99;
/// The bounds of the fee for creating a pool, in lamports.
const CREATION_FEES: [u64; 2] = [1_000_000, 100_000_000_000];
const DECIMALS: [u8; 2] = [6, 9];

/// Fails with the public program's error for the first invalid field.
#[inline(never)]
pub fn check(config: &PoolConfig, parts: &Parts, quote_mint: Account) -> Result {
    require(is_supported_quote(quote_mint)?, INVALID_QUOTE_MINT)?;
    require(config.activation_type <= SECOND, TYPE_CAST_FAILED)?;
    check_fees(config)?;
    require(config.creator_trading_fee_percentage <= 100, INVALID_CREATOR_TRADING_FEE_PERCENTAGE)?;
    check_migration_fee(config)?;
    require(config.collect_fee_mode <= OUTPUT_TOKEN, INVALID_COLLECT_FEE_MODE)?;
    check_migration(config)?;
    require(config.token_update_authority <= MAX_AUTHORITY_OPTION, INVALID_TOKEN_AUTHORITY_OPTION)?;
    let [fewest, most] = DECIMALS;
    require(config.token_decimals >= fewest && config.token_decimals <= most, INVALID_TOKEN_DECIMALS)?;
    check_shares(config)?;
    require(config.migration_quote_threshold > 0, INVALID_QUOTE_THRESHOLD)?;
    config.locked_vesting.check()?;
    let [least, most] = CREATION_FEES;
    let fee = config.pool_creation_fee;
    require(fee == 0 || fee >= least && fee <= most, INVALID_POOL_CREATION_FEE)?;
    parts.check(config.sqrt_start_price)
}

/// The fee of a migration may not be the whole amount that was raised, and only a fee has shares.
fn check_migration_fee(config: &PoolConfig) -> Result {
    let (fee, creator) = (config.migration_fee_percentage, config.creator_migration_fee_percentage);
    let most = if fee == 0 { 0 } else { 100 };
    require(fee <= MAX_MIGRATION_FEE_PERCENTAGE && creator <= most, INVALID_MIGRATOR_FEE_PERCENTAGE)
}

/// Checks what the curve becomes. DAMM v1 is no part of the local network.
#[inline(never)]
fn check_migration(config: &PoolConfig) -> Result {
    require(config.migration_option <= DAMM_V2, INVALID_MIGRATION_OPTION)?;
    require(config.migration_fee_option <= CUSTOMIZABLE, INVALID_MIGRATION_FEE_OPTION)?;
    require(config.token_type <= TOKEN_2022, INVALID_TOKEN_TYPE)?;
    if config.migration_option == DAMM_V1 {
        log::text("not part of this stand-in: migration to DAMM v1");
        return Err(INVALID_MIGRATION_OPTION.into());
    }
    if config.migration_fee_option == CUSTOMIZABLE {
        check_migrated(config)?;
    } else {
        require(has_no_migrated_fees(config), INVALID_MIGRATED_POOL_FEE)?;
    }
    let now = Clock::get()?.unix_timestamp as u64;
    config.partner_liquidity_vesting.check(now)?;
    config.creator_liquidity_vesting.check(now)
}

/// The shares of the migrated liquidity must sum to the whole.
fn check_shares(config: &PoolConfig) -> Result {
    let shares = [
        config.partner_liquidity_percentage,
        config.partner_permanent_locked_liquidity_percentage,
        config.creator_liquidity_percentage,
        config.creator_permanent_locked_liquidity_percentage,
        config.partner_liquidity_vesting.percentage,
        config.creator_liquidity_vesting.percentage,
    ];
    let sum = shares.iter().try_fold(0u8, |sum, share| sum.checked_add(*share)).ok_or(MATH_OVERFLOW)?;
    require(sum == 100, INVALID_FEE_PERCENTAGE)
}
