//! The fees that a partner chose for the migrated pool, as arguments of DAMM v2.

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED, UNDETERMINED_ERROR};
use crate::fees::base::RATE_LIMITER;
use crate::instructions::config::fees::{BY_PRICE_EXPONENTIAL, BY_PRICE_LINEAR};
use crate::keys::{BPS, FEE_DENOMINATOR};
use crate::state::config::PoolConfig;
use sluice_meteora::fees::Schedule;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::math::widening_mul;
use sluice_program::{wide, Result};

/// The length of the longest arguments.
pub const LEN: usize = 27 + 2 + 1 + 1 + DYNAMIC_LEN;
const DYNAMIC_LEN: usize = 2 + 16 + 3 * 2 + 2 * 4;

/// The terms of every dynamic fee: one basis point per bin, and its Q64.64.
const BIN_STEP: u16 = 1;
const BIN_STEP_Q64: u128 = 1_844_674_407_370_955;
/// Seconds until the volatility starts to decay, seconds until it is gone, and the share that is kept between, in
/// 10,000ths.
const PERIODS: [u16; 3] = [10, 120, 5_000];
const MAX_ACCUMULATOR: u32 = 14_460_000;
/// The square of the maximum of the accumulator, in bins.
const MAX_SQUARE: u128 = 209_091_600_000_000;
/// The dynamic fee is at most this share of the base fee, in percent.
const MAX_DYNAMIC_PERCENT: u64 = 20;
/// The divisor of the variable fee.
const SCALE: u64 = 100_000_000_000;

/// The base fee of the migrated pool. What does not fall with the price does not fall.
struct BaseFee {
    cliff: u64,
    mode: u8,
    periods: u16,
    step_bps: u32,
    duration: u32,
    reduction: u64,
}

/// Writes the fees.
#[inline(never)]
pub fn write(config: &PoolConfig, to: &mut Writer) -> Result {
    let base = BaseFee::of(config)?;
    let control = dynamic_control(config.migrated_dynamic_fee, base.lowest()?)?;
    to.u64(base.cliff)?;
    to.u16(base.periods)?;
    to.u32(base.step_bps)?;
    to.u32(base.duration)?;
    to.u64(base.reduction)?;
    to.u8(base.mode)?;
    to.u16(config.migrated_compounding_fee_bps)?;
    to.u8(0)?;
    to.u8(control.is_some() as u8)?;
    let Some(control) = control else { return Ok(()) };
    to.u16(BIN_STEP)?;
    to.u128(BIN_STEP_Q64)?;
    for period in PERIODS {
        to.u16(period)?;
    }
    to.u32(MAX_ACCUMULATOR)?;
    to.u32(control)
}

impl BaseFee {
    #[inline(never)]
    fn of(config: &PoolConfig) -> Result<Self> {
        let cliff = config.migrated_pool_fee_bps as u64 * (FEE_DENOMINATOR / BPS);
        let mode = config.migrated_pool_base_fee_mode;
        match mode {
            BY_PRICE_LINEAR | BY_PRICE_EXPONENTIAL => {
                let from = &mut Reader::new(&config.migrated_pool_base_fee);
                let (Some(periods), Some(step_bps), Some(duration), Some(reduction)) =
                    (from.u16(), from.u16(), from.u32(), from.u64())
                else {
                    return Err(UNDETERMINED_ERROR.into());
                };
                Ok(Self { cliff, mode, periods, step_bps: step_bps as u32, duration, reduction })
            }
            RATE_LIMITER => Err(UNDETERMINED_ERROR.into()),
            mode if mode < RATE_LIMITER => {
                Ok(Self { cliff, mode, periods: 0, step_bps: 0, duration: 0, reduction: 0 })
            }
            _ => Err(TYPE_CAST_FAILED.into()),
        }
    }

    /// Returns the fee after all reductions.
    fn lowest(&self) -> Result<u64> {
        let Self { cliff, periods, reduction, mode, .. } = *self;
        Schedule { cliff, periods, reduction, by_share: mode == BY_PRICE_EXPONENTIAL }.after(periods as u64)
    }
}

/// Returns the control of the dynamic fee, with which it reaches a fifth of the lowest base fee at the most volatile,
/// or None if there is no dynamic fee or its control does not fit.
#[inline(never)]
fn dynamic_control(kind: u8, lowest: u64) -> Result<Option<u32>> {
    match kind {
        0 => return Ok(None),
        1 => {}
        _ => return Err(TYPE_CAST_FAILED.into()),
    }
    let most = wide::div_floor(widening_mul(lowest, MAX_DYNAMIC_PERCENT), 100).ok_or(MATH_OVERFLOW)?;
    let scaled = wide::checked_mul(most, SCALE as u128).and_then(|most| most.checked_sub(SCALE as u128 - 1));
    let control = scaled.and_then(|scaled| wide::div_floor(scaled, MAX_SQUARE));
    Ok(control.and_then(|control| u32::try_from(control).ok()))
}
