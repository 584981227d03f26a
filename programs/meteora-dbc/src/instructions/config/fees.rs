//! The checks of a new configuration's fees: those of the curve, and those of the pool that it becomes.

use crate::activation::SECOND;
use crate::error::{
    require, EXCEED_MAX_FEE_BPS, INVALID_BASE_FEE_MODE, INVALID_COLLECT_FEE_MODE, INVALID_FEE,
    INVALID_FEE_MARKET_CAP_SCHEDULER, INVALID_FEE_RATE_LIMITER, INVALID_FEE_SCHEDULER, INVALID_INPUT,
    INVALID_MIGRATED_POOL_FEE, TYPE_CAST_FAILED,
};
use crate::fees::base::{EXPONENTIAL, LINEAR, RATE_LIMITER};
use crate::fees::limiter::RateLimiter;
use crate::keys::{BPS, FEE_DENOMINATOR, MAX_FEE, MIN_FEE};
use crate::state::config::{PoolConfig, COMPOUNDING, OUTPUT_TOKEN, QUOTE_TOKEN};
use crate::state::fees::{BaseFee, DynamicFee};
use sluice_meteora::fees::Schedule;
use sluice_program::bytes::Reader;
use sluice_program::Result;

const BIN_STEP: u16 = 1;
/// One basis point as a Q64.64.
const BIN_STEP_Q64: u128 = 1_844_674_407_370_955;
const U24_MAX: u32 = 0xff_ffff;
/// The longest time that a rate limiter may work: 12 hours in slots and in seconds.
const MAX_LIMITER_DURATIONS: [u64; 2] = [108_000, 43_200];
/// The minimum fee of DAMM v2, and the bounds of the fee at which a migrated pool starts.
const MIN_MIGRATED_FEE: u64 = 100_000;
const MIGRATED_FEE_BPS: [u16; 2] = [10, 1_000];

/// The modes of DAMM v2 in which the fee falls with the price.
pub const BY_PRICE_LINEAR: u8 = 3;
pub const BY_PRICE_EXPONENTIAL: u8 = 4;

/// Checks the fees of the curve. Fails with the public program's error for the first invalid field.
#[inline(never)]
pub fn check(config: &PoolConfig) -> Result {
    let base = &config.fees.base;
    match base.mode {
        LINEAR | EXPONENTIAL => check_schedule(base)?,
        RATE_LIMITER => check_limiter(base, config)?,
        _ => return Err(INVALID_BASE_FEE_MODE.into()),
    }
    check_dynamic(&config.fees.dynamic)
}

#[inline(never)]
fn check_schedule(base: &BaseFee) -> Result {
    let fields = [base.first_factor as u64, base.second_factor, base.third_factor];
    let is_whole = fields.iter().all(|field| *field == 0) || fields.iter().all(|field| *field != 0);
    require(is_whole, INVALID_FEE_SCHEDULER)?;
    check_bounds(base.minimum()?, base.cliff, MIN_FEE)
}

fn check_bounds(lowest: u64, highest: u64, minimum: u64) -> Result {
    require(lowest < FEE_DENOMINATOR && highest < FEE_DENOMINATOR, INVALID_FEE)?;
    require(lowest >= minimum && highest <= MAX_FEE, EXCEED_MAX_FEE_BPS)
}

/// A rate limiter works only where buyers pay the fee of what they put in.
#[inline(never)]
fn check_limiter(base: &BaseFee, config: &PoolConfig) -> Result {
    require(config.collect_fee_mode <= OUTPUT_TOKEN, INVALID_COLLECT_FEE_MODE)?;
    require(config.collect_fee_mode == QUOTE_TOKEN, INVALID_FEE_RATE_LIMITER)?;
    require(base.cliff >= MIN_FEE && base.cliff <= MAX_FEE, INVALID_FEE_RATE_LIMITER)?;
    let [increment_bps, duration, reference] =
        [base.first_factor as u64, base.second_factor, base.third_factor];
    if increment_bps == 0 && duration == 0 && reference == 0 {
        return Ok(());
    }
    let longest = MAX_LIMITER_DURATIONS[(config.activation_type == SECOND) as usize];
    let is_whole = increment_bps != 0 && duration != 0 && reference != 0;
    require(is_whole && duration <= longest && increment_bps < BPS, INVALID_FEE_RATE_LIMITER)?;
    let highest = RateLimiter::of(base).rate_of_included(u64::MAX)?;
    require(highest <= MAX_FEE, INVALID_FEE_RATE_LIMITER)
}

fn check_dynamic(dynamic: &DynamicFee) -> Result {
    let holds = dynamic.initialized == 0
        || dynamic.bin_step == BIN_STEP
            && dynamic.bin_step_q64 == BIN_STEP_Q64
            && dynamic.filter_period < dynamic.decay_period
            && dynamic.reduction_bps as u64 <= BPS
            && dynamic.control <= U24_MAX
            && dynamic.max_accumulator <= U24_MAX;
    require(holds, INVALID_INPUT)
}

/// Returns whether the partner set no field of the migrated pool's fees.
pub fn has_no_migrated_fees(config: &PoolConfig) -> bool {
    config.migrated_collect_fee_mode == 0
        && config.migrated_dynamic_fee == 0
        && config.migrated_pool_fee_bps == 0
        && config.migrated_compounding_fee_bps == 0
        && config.migrated_pool_base_fee_mode == 0
        && config.migrated_pool_base_fee == [0; 16]
}

/// Checks the fees that the partner chose for the migrated pool.
#[inline(never)]
pub fn check_migrated(config: &PoolConfig) -> Result {
    let [least, most] = MIGRATED_FEE_BPS;
    let fee_bps = config.migrated_pool_fee_bps;
    require(fee_bps >= least && fee_bps <= most, INVALID_MIGRATED_POOL_FEE)?;
    require(config.migrated_collect_fee_mode <= COMPOUNDING, INVALID_COLLECT_FEE_MODE)?;
    let compounded = config.migrated_compounding_fee_bps;
    let fits = if config.migrated_collect_fee_mode == COMPOUNDING {
        compounded > 0 && compounded as u64 <= BPS
    } else {
        compounded == 0
    };
    require(fits && config.migrated_dynamic_fee <= 1, INVALID_MIGRATED_POOL_FEE)?;
    match config.migrated_pool_base_fee_mode {
        LINEAR | EXPONENTIAL => require(config.migrated_pool_base_fee == [0; 16], INVALID_MIGRATED_POOL_FEE),
        RATE_LIMITER => Err(INVALID_MIGRATED_POOL_FEE.into()),
        BY_PRICE_LINEAR | BY_PRICE_EXPONENTIAL => check_by_price(config),
        _ => Err(TYPE_CAST_FAILED.into()),
    }
}

#[inline(never)]
fn check_by_price(config: &PoolConfig) -> Result {
    let from = &mut Reader::new(&config.migrated_pool_base_fee);
    let (Some(periods), Some(step), Some(duration), Some(reduction)) =
        (from.u16(), from.u16(), from.u32(), from.u64())
    else {
        return Err(TYPE_CAST_FAILED.into());
    };
    let is_whole = reduction > 0 && step > 0 && duration > 0 && periods > 0;
    require(is_whole, INVALID_FEE_MARKET_CAP_SCHEDULER)?;
    let cliff = config.migrated_pool_fee_bps as u64 * (FEE_DENOMINATOR / BPS);
    let by_share = config.migrated_pool_base_fee_mode == BY_PRICE_EXPONENTIAL;
    let lowest = Schedule { cliff, periods, reduction, by_share }.after(periods as u64)?;
    check_bounds(lowest, cliff, MIN_MIGRATED_FEE)
}
