//! The dynamic fee of a pool.

use crate::error::convert;
use crate::state::{put_u128, put_u64};
use sluice_meteora::fees::dynamic::{DynamicFee, Move, Volatility};
use sluice_program::bytes::Reader;
use sluice_program::Result;

/// Offsets of the fields that swaps change.
const LAST_UPDATE: usize = 80;
const REFERENCE_PRICE: usize = 104;
const ACCUMULATOR: usize = 120;
const REFERENCE: usize = 136;

/// The parameters and the state of a pool's dynamic fee.
pub struct PoolDynamicFee {
    pub is_on: bool,
    pub terms: DynamicFee,
    pub volatility: Volatility,
}

impl PoolDynamicFee {
    /// Returns None if the bytes are cut short.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let is_on = reader.u8()? != 0;
        reader.bytes(7)?;
        let [max_accumulator, control] = [reader.u32()?, reader.u32()?];
        let bin_step = reader.u16()?;
        let [filter_period, decay_period, reduction_bps] = [reader.u16()?, reader.u16()?, reader.u16()?];
        let last_update = reader.u64()?;
        let bin_step_q64 = reader.u128()?;
        let [reference_price, accumulator, reference] = [reader.u128()?, reader.u128()?, reader.u128()?];
        let terms = DynamicFee {
            max_accumulator,
            control,
            bin_step,
            filter_period,
            decay_period,
            reduction_bps,
            bin_step_q64,
        };
        let volatility = Volatility { last_update, reference_price, accumulator, reference };
        Some(Self { is_on, terms, volatility })
    }

    /// Writes the fields that swaps change into a pool's data.
    pub fn save(&self, pool: &mut [u8]) -> Result {
        put_u64(pool, LAST_UPDATE, self.volatility.last_update)?;
        put_u128(pool, REFERENCE_PRICE, self.volatility.reference_price)?;
        put_u128(pool, ACCUMULATOR, self.volatility.accumulator)?;
        put_u128(pool, REFERENCE, self.volatility.reference)
    }

    /// Returns the fee rate in billionths for the volatility after the last swap.
    pub fn rate(&self) -> Result<u128> {
        if self.is_on {
            self.terms.rate(&self.volatility).map_err(convert)
        } else {
            Ok(0)
        }
    }

    /// Called before a swap.
    pub fn before_swap(&mut self, sqrt_price: u128, now: u64) -> Result {
        if self.is_on {
            self.terms.before_swap(&mut self.volatility, sqrt_price, now)
        } else {
            Ok(())
        }
    }

    /// Called after a swap that moved the price.
    pub fn after_swap(&mut self, before: u128, after: u128, now: u64) -> Result {
        if self.is_on {
            self.terms.after_swap(&mut self.volatility, &Move { before, after, now })
        } else {
            Ok(())
        }
    }
}
