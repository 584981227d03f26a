//! The base fee. It is stored in 32 bytes, of which the ninth is its mode.

use crate::error::{
    DEPRECATED_BASE_FEE_MODE, INVALID_BASE_FEE_MODE, MATH_OVERFLOW, TYPE_CAST_FAILED, UNDETERMINED_ERROR,
};
use crate::state::pool::Pool;
use sluice_meteora::fees::Schedule;
use sluice_program::bytes::Reader;
use sluice_program::wide::U256;
use sluice_program::{log, Result};

pub const LEN: usize = 32;
const MODE: usize = 8;

/// The mode of a base fee.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The fee falls by the same amount, or by the same share, every so many slots or seconds.
    TimeLinear,
    TimeExponential,
    /// The fee rises with the amount for some time. This mode is deprecated.
    RateLimiter,
    /// The fee falls by the same amount, or by the same share, with every step by which the price rises.
    PriceLinear,
    PriceExponential,
}

/// A base fee, with its parameters in the order in which they are stored.
#[derive(Clone, Copy)]
pub struct BaseFee {
    pub bytes: [u8; LEN],
}

impl Mode {
    /// Fails with InvalidBaseFeeMode if the mode is unknown.
    pub fn of(byte: u8) -> Result<Self> {
        match byte {
            0 => Ok(Self::TimeLinear),
            1 => Ok(Self::TimeExponential),
            2 => Ok(Self::RateLimiter),
            3 => Ok(Self::PriceLinear),
            4 => Ok(Self::PriceExponential),
            _ => Err(INVALID_BASE_FEE_MODE.into()),
        }
    }

    /// Returns whether the fee falls by the same share instead of the same amount.
    pub fn is_by_share(self) -> bool {
        matches!(self, Self::TimeExponential | Self::PriceExponential)
    }
}

impl BaseFee {
    /// Returns the mode. Fails with InvalidBaseFeeMode if it is unknown.
    pub fn mode(&self) -> Result<Mode> {
        Mode::of(self.bytes[MODE])
    }

    /// Returns the fee rate in billionths.
    #[inline(never)]
    pub fn rate(&self, pool: &Pool, point: u64, b_to_a: bool) -> Result<u64> {
        let mode = self.mode()?;
        let reader = &mut Reader::new(&self.bytes);
        let (Some(cliff), Some(_), Some(periods)) = (reader.u64(), reader.array::<6>(), reader.u16()) else {
            return Err(UNDETERMINED_ERROR.into());
        };
        match mode {
            Mode::TimeLinear | Mode::TimeExponential => {
                let (Some(frequency), Some(reduction)) = (reader.u64(), reader.u64()) else {
                    return Err(UNDETERMINED_ERROR.into());
                };
                let schedule = Schedule { cliff, periods, reduction, by_share: mode.is_by_share() };
                by_time(&schedule, point, pool.activation_point, frequency)
            }
            Mode::PriceLinear | Mode::PriceExponential => {
                let (Some(step), Some(duration), Some(reduction)) =
                    (reader.u32(), reader.u32(), reader.u64())
                else {
                    return Err(UNDETERMINED_ERROR.into());
                };
                let schedule = Schedule { cliff, periods, reduction, by_share: mode.is_by_share() };
                by_price(&schedule, pool, point, (step, duration))
            }
            // The rate limiter stores its other parameters in place of the number of periods, the step and the
            // duration.
            Mode::RateLimiter => {
                let (Some(duration), Some(most), Some(reference)) =
                    (reader.u32(), reader.u32(), reader.u64())
                else {
                    return Err(UNDETERMINED_ERROR.into());
                };
                let is_set = periods != 0 || duration != 0 || most != 0 || reference != 0;
                let end = pool.activation_point as u128 + duration as u128;
                let is_on = b_to_a && point >= pool.activation_point && point as u128 <= end;
                if is_set && is_on {
                    log::text("not part of this stand-in: a rate limiter at work");
                    return Err(DEPRECATED_BASE_FEE_MODE.into());
                }
                Ok(cliff)
            }
        }
    }
}

/// Returns the fee that falls with time. Before the activation, when only a vault may buy, the minimum fee applies.
fn by_time(schedule: &Schedule, point: u64, activation: u64, frequency: u64) -> Result<u64> {
    if frequency == 0 {
        return Ok(schedule.cliff);
    }
    let passed = if point < activation { schedule.periods as u64 } else { (point - activation) / frequency };
    schedule.after(passed)
}

/// Returns the fee that falls with steps of the price.
#[inline(always)]
fn by_price(schedule: &Schedule, pool: &Pool, point: u64, (step, duration): (u32, u32)) -> Result<u64> {
    let activation = pool.activation_point;
    let end = activation.checked_add(duration as u64).ok_or(MATH_OVERFLOW)?;
    let (now, start) = (pool.sqrt_price, pool.init_sqrt_price);
    if point > end || point < activation {
        return schedule.after(schedule.periods as u64);
    }
    if now <= start {
        return schedule.after(0);
    }
    let (bps, _) =
        U256::product(now - start, crate::keys::BPS as u128).div_rem(start).ok_or(MATH_OVERFLOW)?;
    let (passed, _) = bps.div_rem(step as u128).ok_or(MATH_OVERFLOW)?;
    match passed.narrow().and_then(sluice_program::math::narrow) {
        Some(passed) => schedule.after(passed),
        None => schedule.after(schedule.periods as u64),
    }
}

/// Decodes the base fee from arguments, in which the fields have another order. Fails with InvalidBaseFeeMode if the
/// mode is unknown.
pub fn from_parameters(data: &[u8; 27]) -> Result<BaseFee> {
    let mode = data[26];
    Mode::of(mode)?;
    let mut bytes = [0; LEN];
    let parts = (data.first_chunk::<8>(), data.get(8..10), data.get(10..26));
    let (Some(cliff), Some(periods), Some(rest)) = parts else {
        return Err(TYPE_CAST_FAILED.into());
    };
    bytes[..8].copy_from_slice(cliff);
    bytes[MODE] = mode;
    bytes[14..16].copy_from_slice(periods);
    bytes[16..].copy_from_slice(rest);
    Ok(BaseFee { bytes })
}
