//! The base fee, in 32 bytes whose ninth says how it is reckoned.

use crate::error::{
    DEPRECATED_BASE_FEE_MODE, INVALID_BASE_FEE_MODE, MATH_OVERFLOW, TYPE_CAST_FAILED, UNDETERMINED_ERROR,
};
use crate::state::pool::Pool;
use sluice_program::bytes::Reader;
use sluice_program::math::{checked_mul, widening_mul};
use sluice_program::wide::{self, U256};
use sluice_program::{log, Result};

pub const LEN: usize = 32;
const MODE: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Falls by the same amount, or by the same share, every so many slots or seconds.
    TimeLinear,
    TimeExponential,
    /// Rises with the amount for some time. Deprecated.
    RateLimiter,
    /// Falls by the same amount, or by the same share, with every step that the price rises.
    PriceLinear,
    PriceExponential,
}

#[derive(Clone, Copy)]
pub struct BaseFee {
    pub bytes: [u8; LEN],
}

/// The highest fee, and how often it falls by how much.
#[derive(Clone, Copy)]
pub struct Schedule {
    pub cliff: u64,
    pub periods: u16,
    pub reduction: u64,
    pub by_share: bool,
}

impl Mode {
    /// InvalidBaseFeeMode for an unknown one.
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

    pub fn is_by_share(self) -> bool {
        matches!(self, Self::TimeExponential | Self::PriceExponential)
    }
}

impl BaseFee {
    pub fn mode(&self) -> Result<Mode> {
        Mode::of(self.bytes[MODE])
    }

    /// In billionths.
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
                schedule.by_time(point, pool.activation_point, frequency)
            }
            Mode::PriceLinear | Mode::PriceExponential => {
                let (Some(step), Some(duration), Some(reduction)) =
                    (reader.u32(), reader.u32(), reader.u64())
                else {
                    return Err(UNDETERMINED_ERROR.into());
                };
                let schedule = Schedule { cliff, periods, reduction, by_share: mode.is_by_share() };
                schedule.by_price(pool, point, (step, duration))
            }
            // What else the limiter has is where the schedule by price has its number of periods, step and duration.
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

impl Schedule {
    /// Before the activation, when only a vault may buy, the fee is the lowest.
    fn by_time(&self, point: u64, activation: u64, frequency: u64) -> Result<u64> {
        if frequency == 0 {
            return Ok(self.cliff);
        }
        let passed = if point < activation { self.periods as u64 } else { (point - activation) / frequency };
        self.after(passed)
    }

    #[inline(always)]
    fn by_price(&self, pool: &Pool, point: u64, (step, duration): (u32, u32)) -> Result<u64> {
        let activation = pool.activation_point;
        let end = activation.checked_add(duration as u64).ok_or(MATH_OVERFLOW)?;
        let (now, start) = (pool.sqrt_price, pool.init_sqrt_price);
        if point > end || point < activation {
            return self.after(self.periods as u64);
        }
        if now <= start {
            return self.after(0);
        }
        let (bps, _) =
            U256::product(now - start, crate::keys::BPS as u128).div_rem(start).ok_or(MATH_OVERFLOW)?;
        let (passed, _) = bps.div_rem(step as u128).ok_or(MATH_OVERFLOW)?;
        match passed.narrow().and_then(sluice_program::math::narrow) {
            Some(passed) => self.after(passed),
            None => self.after(self.periods as u64),
        }
    }

    /// The fee after so many periods, of which those beyond the last do not count.
    #[inline(never)]
    pub fn after(&self, passed: u64) -> Result<u64> {
        let passed = passed.min(self.periods as u64);
        if self.by_share {
            return self.after_shares(passed);
        }
        let fallen = checked_mul(self.reduction, passed).ok_or(MATH_OVERFLOW)?;
        self.cliff.checked_sub(fallen).ok_or_else(|| MATH_OVERFLOW.into())
    }

    /// cliff × (1 − reduction / 10000) ^ passed, each factor a Q64.64 that is rounded down.
    #[inline(never)]
    fn after_shares(&self, passed: u64) -> Result<u64> {
        if self.reduction == 0 {
            return Ok(self.cliff);
        }
        let fallen =
            wide::div_floor(wide::join(self.reduction, 0), crate::keys::BPS as u128).ok_or(MATH_OVERFLOW)?;
        let one = wide::join(1, 0);
        // Below one, because something is taken off.
        let (_, mut factor) = wide::split(one.checked_sub(fallen).ok_or(MATH_OVERFLOW)?);
        // None stands for one, which does not fit.
        let mut power: Option<u64> = None;
        let mut exponent = passed;
        while exponent != 0 {
            if exponent & 1 != 0 {
                power = Some(power.map_or(factor, |power| high(power, factor)));
            }
            factor = high(factor, factor);
            exponent >>= 1;
        }
        match power {
            None => Ok(self.cliff),
            Some(0) => Err(MATH_OVERFLOW.into()),
            Some(power) => Ok(high(power, self.cliff)),
        }
    }
}

fn high(a: u64, b: u64) -> u64 {
    wide::split(widening_mul(a, b)).0
}

/// The base fee as arguments have it, in another order of its fields. InvalidBaseFeeMode for an unknown mode.
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
