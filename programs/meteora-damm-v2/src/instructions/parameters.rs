//! The parameters of a new pool.

use crate::error::{
    DEPRECATED_BASE_FEE_MODE, EXCEED_MAX_FEE_BPS, INVALID_COMPOUNDING_FEE_BPS, INVALID_FEE,
    INVALID_FEE_MARKET_CAP_SCHEDULER, INVALID_FEE_TIME_SCHEDULER, INVALID_INPUT, INVALID_PRICE_RANGE,
    UNDETERMINED_ERROR,
};
use crate::fees::base::{BaseFee, Mode};
use crate::keys::{BPS, FEE_DENOMINATOR, MAX_FEES, MAX_SQRT_PRICE, MIN_FEE, MIN_SQRT_PRICE};
use crate::state::pool::CollectFeeMode;
use sluice_meteora::fees::Schedule;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{AnchorError, Result};

const BIN_STEP: u16 = 1;
/// One basis point as a Q64.64.
const BIN_STEP_Q64: u128 = 1_844_674_407_370_955;
const U24_MAX: u32 = 0xff_ffff;

/// The fees in an instruction's arguments.
pub struct Fees {
    pub base: BaseFee,
    pub compounding_bps: u16,
    pub dynamic: Option<DynamicParameters>,
}

/// The parameters of a dynamic fee.
pub struct DynamicParameters {
    pub bin_step: u16,
    pub bin_step_q64: u128,
    /// The filter and the decay period in seconds, and the share that is kept between them.
    pub periods: [u16; 3],
    pub max_accumulator: u32,
    pub control: u32,
}

impl DynamicParameters {
    /// Returns None if the bytes are cut short or a mode is unknown.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        Some(Self {
            bin_step: reader.u16()?,
            bin_step_q64: reader.u128()?,
            periods: [reader.u16()?, reader.u16()?, reader.u16()?],
            max_accumulator: reader.u32()?,
            control: reader.u32()?,
        })
    }

    /// Writes the parameters in the order of arguments.
    pub fn write(&self, writer: &mut Writer) -> Result {
        writer.u16(self.bin_step)?;
        writer.u128(self.bin_step_q64)?;
        for period in self.periods {
            writer.u16(period)?;
        }
        writer.u32(self.max_accumulator)?;
        writer.u32(self.control)
    }

    fn check(&self) -> Result {
        let [filter, decay, reduction_bps] = self.periods;
        let holds = self.bin_step == BIN_STEP
            && self.bin_step_q64 == BIN_STEP_Q64
            && filter < decay
            && reduction_bps as u64 <= BPS
            && self.control <= U24_MAX
            && self.max_accumulator <= U24_MAX;
        require(holds, INVALID_INPUT)
    }
}

impl Fees {
    /// Returns the length of the fees in arguments.
    pub fn written_len(&self) -> usize {
        const WITHOUT_DYNAMIC: usize = 27 + 2 + 1 + 1;
        const DYNAMIC: usize = 2 + 16 + 3 * 2 + 2 * 4;
        WITHOUT_DYNAMIC + if self.dynamic.is_some() { DYNAMIC } else { 0 }
    }

    /// Writes the fees in the form of arguments.
    pub fn write(&self, writer: &mut Writer) -> Result {
        let bytes = &self.base.bytes;
        writer.bytes(&bytes[..8])?;
        writer.bytes(&bytes[14..])?;
        writer.u8(bytes[8])?;
        writer.u16(self.compounding_bps)?;
        writer.u8(0)?;
        writer.u8(self.dynamic.is_some() as u8)?;
        match &self.dynamic {
            Some(dynamic) => dynamic.write(writer),
            None => Ok(()),
        }
    }

    /// Checks the fees. Fails with the public program's error for the first invalid field.
    #[inline(never)]
    pub fn check(&self, mode: CollectFeeMode) -> Result {
        let compounds = mode == CollectFeeMode::Compounding;
        let fits = if compounds {
            self.compounding_bps > 0 && self.compounding_bps as u64 <= BPS
        } else {
            self.compounding_bps == 0
        };
        require(fits, INVALID_COMPOUNDING_FEE_BPS)?;
        check_base(&self.base)?;
        match &self.dynamic {
            Some(dynamic) => dynamic.check(),
            None => Ok(()),
        }
    }
}

/// Fees that rise with the amount are deprecated, so a new pool cannot have them.
#[inline(never)]
fn check_base(base: &BaseFee) -> Result {
    let mode = base.mode()?;
    let reader = &mut Reader::new(&base.bytes);
    let Some((schedule, middle)) = read_schedule(reader, mode) else {
        return Err(UNDETERMINED_ERROR.into());
    };
    let Schedule { cliff, periods, reduction, .. } = schedule;
    match mode {
        Mode::RateLimiter => return Err(DEPRECATED_BASE_FEE_MODE.into()),
        Mode::TimeLinear | Mode::TimeExponential => {
            let none = periods == 0 && middle == 0 && reduction == 0;
            let all = periods != 0 && middle != 0 && reduction != 0;
            require(none || all, INVALID_FEE_TIME_SCHEDULER)?;
        }
        Mode::PriceLinear | Mode::PriceExponential => {
            let (step, duration) = (middle as u32, middle >> 32);
            let all = reduction > 0 && step > 0 && duration > 0 && periods > 0;
            require(all, INVALID_FEE_MARKET_CAP_SCHEDULER)?;
        }
    }
    let lowest = schedule.after(periods as u64)?;
    require(lowest < FEE_DENOMINATOR && cliff < FEE_DENOMINATOR, INVALID_FEE)?;
    require(lowest >= MIN_FEE && cliff <= MAX_FEES[1], EXCEED_MAX_FEE_BPS)
}

/// Reads the schedule, and the 8 bytes between its number of periods and its reduction.
fn read_schedule(reader: &mut Reader, mode: Mode) -> Option<(Schedule, u64)> {
    let cliff = reader.u64()?;
    reader.bytes(6)?;
    let periods = reader.u16()?;
    let middle = reader.u64()?;
    let reduction = reader.u64()?;
    Some((Schedule { cliff, periods, reduction, by_share: mode.is_by_share() }, middle))
}

/// Fails with InvalidPriceRange unless a pool with that price range can start at the price. Compounding pools have no
/// range.
pub fn check_prices(mode: CollectFeeMode, price: u128, [lowest, highest]: [u128; 2]) -> Result {
    let (lowest, highest) = if mode == CollectFeeMode::Compounding {
        (MIN_SQRT_PRICE, MAX_SQRT_PRICE)
    } else {
        (lowest, highest)
    };
    require(price >= lowest && price <= highest, INVALID_PRICE_RANGE)
}

/// Fails with `error` unless `holds`.
pub fn require(holds: bool, error: AnchorError) -> Result {
    if holds {
        Ok(())
    } else {
        Err(error.into())
    }
}
