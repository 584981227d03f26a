//! The dynamic fee, which follows volatility: the moves of the price from one swap to the next, weighted less as time
//! passes.

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::keys::BPS;
use crate::math::shl_64_div;
use crate::state::{put_u128, put_u64};
use sluice_program::bytes::Reader;
use sluice_program::wide;
use sluice_program::Result;

/// Offsets of the fields that swaps change.
const LAST_UPDATE: usize = 80;
const REFERENCE_PRICE: usize = 104;
const ACCUMULATOR: usize = 120;
const REFERENCE: usize = 136;
const ONE: u128 = 1 << 64;
/// The product of squared basis points is divided by this, which gives billionths.
const SCALE: u128 = 100_000_000_000;

/// The parameters and the state of a dynamic fee.
pub struct DynamicFee {
    pub is_on: bool,
    pub max_accumulator: u32,
    pub control: u32,
    pub bin_step: u16,
    pub filter_period: u16,
    pub decay_period: u16,
    pub reduction_bps: u16,
    pub last_update: u64,
    pub bin_step_q64: u128,
    pub reference_price: u128,
    pub accumulator: u128,
    pub reference: u128,
}

impl DynamicFee {
    /// Returns None if the bytes are cut short.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let is_on = reader.u8()? != 0;
        reader.bytes(7)?;
        Some(Self {
            is_on,
            max_accumulator: reader.u32()?,
            control: reader.u32()?,
            bin_step: reader.u16()?,
            filter_period: reader.u16()?,
            decay_period: reader.u16()?,
            reduction_bps: reader.u16()?,
            last_update: reader.u64()?,
            bin_step_q64: reader.u128()?,
            reference_price: reader.u128()?,
            accumulator: reader.u128()?,
            reference: reader.u128()?,
        })
    }

    /// Writes the fields that swaps change into a pool's data.
    pub fn save(&self, pool: &mut [u8]) -> Result {
        put_u64(pool, LAST_UPDATE, self.last_update)?;
        put_u128(pool, REFERENCE_PRICE, self.reference_price)?;
        put_u128(pool, ACCUMULATOR, self.accumulator)?;
        put_u128(pool, REFERENCE, self.reference)
    }

    /// Returns the fee rate in billionths for the volatility after the last swap.
    #[inline(never)]
    pub fn rate(&self) -> Result<u128> {
        if !self.is_on {
            return Ok(0);
        }
        let moved = wide::checked_mul(self.accumulator, self.bin_step as u128).ok_or(MATH_OVERFLOW)?;
        let squared = wide::checked_mul(moved, moved).ok_or(TYPE_CAST_FAILED)?;
        let scaled = wide::checked_mul(squared, self.control as u128).ok_or(MATH_OVERFLOW)?;
        let raised = scaled.checked_add(SCALE - 1).ok_or(MATH_OVERFLOW)?;
        wide::div_floor(raised, SCALE).ok_or_else(|| MATH_OVERFLOW.into())
    }

    /// Called before a swap. If enough time has passed, the previous moves count less.
    #[inline(never)]
    pub fn before_swap(&mut self, sqrt_price: u128, now: u64) -> Result {
        if !self.is_on {
            return Ok(());
        }
        let elapsed = now.saturating_sub(self.last_update);
        if elapsed >= self.filter_period as u64 {
            self.reference_price = sqrt_price;
            self.reference = if elapsed < self.decay_period as u64 {
                let kept =
                    wide::checked_mul(self.accumulator, self.reduction_bps as u128).ok_or(MATH_OVERFLOW)?;
                wide::div_floor(kept, BPS as u128).ok_or(MATH_OVERFLOW)?
            } else {
                0
            };
        }
        Ok(())
    }

    /// Called after a swap that moved the price. It adds the move to the volatility.
    #[inline(always)]
    pub fn after_swap(&mut self, before: u128, after: u128, now: u64) -> Result {
        if !self.is_on {
            return Ok(());
        }
        let moved = self.bins_between(after, self.reference_price)?;
        let added = wide::checked_mul(moved, BPS as u128).ok_or(MATH_OVERFLOW)?;
        let sum = self.reference.checked_add(added).ok_or(MATH_OVERFLOW)?;
        self.accumulator = sum.min(self.max_accumulator as u128);
        if self.bins_between(before, after)? > 0 {
            self.last_update = now;
        }
        Ok(())
    }

    /// Returns the approximate number of bin steps between two root prices.
    #[inline(always)]
    fn bins_between(&self, one: u128, other: u128) -> Result<u128> {
        let (upper, lower) = if one > other { (one, other) } else { (other, one) };
        let ratio = shl_64_div(upper, lower)?;
        let above = ratio.checked_sub(ONE).ok_or(MATH_OVERFLOW)?;
        let bins = wide::div_floor(above, self.bin_step_q64).ok_or(MATH_OVERFLOW)?;
        wide::checked_mul(bins, 2).ok_or_else(|| MATH_OVERFLOW.into())
    }
}
