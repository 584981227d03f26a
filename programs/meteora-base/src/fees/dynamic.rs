//! The dynamic fee, which follows volatility: the moves of the price from one swap to the next, weighted less as time
//! passes.

use super::BPS;
use crate::error::{Wrong, MATH_OVERFLOW};
use crate::math::shl_64_div;
use sluice_program::wide;
use sluice_program::Result;

const ONE: u128 = 1 << 64;
/// The product of squared basis points is divided by this, which gives billionths.
const SCALE: u128 = 100_000_000_000;

/// The parameters of a dynamic fee.
#[derive(Clone, Copy)]
pub struct DynamicFee {
    pub max_accumulator: u32,
    pub control: u32,
    pub bin_step: u16,
    pub filter_period: u16,
    pub decay_period: u16,
    pub reduction_bps: u16,
    pub bin_step_q64: u128,
}

/// The volatility of a pool.
#[derive(Clone, Copy)]
pub struct Volatility {
    pub last_update: u64,
    pub reference_price: u128,
    pub accumulator: u128,
    pub reference: u128,
}

/// A swap's move of the root price.
pub struct Move {
    pub before: u128,
    pub after: u128,
    /// The Unix time.
    pub now: u64,
}

impl DynamicFee {
    /// Returns the fee rate in billionths for the volatility after the last swap.
    #[inline(never)]
    pub fn rate(&self, volatility: &Volatility) -> core::result::Result<u128, Wrong> {
        let moved =
            wide::checked_mul(volatility.accumulator, self.bin_step as u128).ok_or(Wrong::Overflow)?;
        let squared = wide::checked_mul(moved, moved).ok_or(Wrong::Cast)?;
        let scaled = wide::checked_mul(squared, self.control as u128).ok_or(Wrong::Overflow)?;
        let raised = scaled.checked_add(SCALE - 1).ok_or(Wrong::Overflow)?;
        wide::div_floor(raised, SCALE).ok_or(Wrong::Overflow)
    }

    /// Called before a swap at a price. If enough time has passed, the previous moves count less.
    #[inline(never)]
    pub fn before_swap(&self, volatility: &mut Volatility, sqrt_price: u128, now: u64) -> Result {
        let elapsed = now.saturating_sub(volatility.last_update);
        if elapsed < self.filter_period as u64 {
            return Ok(());
        }
        volatility.reference_price = sqrt_price;
        volatility.reference = if elapsed < self.decay_period as u64 {
            let kept = wide::checked_mul(volatility.accumulator, self.reduction_bps as u128);
            kept.and_then(|kept| wide::div_floor(kept, BPS as u128)).ok_or(MATH_OVERFLOW)?
        } else {
            0
        };
        Ok(())
    }

    /// Called after a swap. It adds the move to the volatility.
    #[inline(never)]
    pub fn after_swap(&self, volatility: &mut Volatility, swap: &Move) -> Result {
        let moved = self.bins_between(&[swap.after, volatility.reference_price])?;
        let added = wide::checked_mul(moved, BPS as u128).ok_or(MATH_OVERFLOW)?;
        let sum = volatility.reference.checked_add(added).ok_or(MATH_OVERFLOW)?;
        volatility.accumulator = sum.min(self.max_accumulator as u128);
        if self.bins_between(&[swap.before, swap.after])? > 0 {
            volatility.last_update = swap.now;
        }
        Ok(())
    }

    /// Returns the approximate number of bin steps between two root prices.
    #[inline(always)]
    fn bins_between(&self, prices: &[u128; 2]) -> Result<u128> {
        let [one, other] = *prices;
        let (upper, lower) = if one > other { (one, other) } else { (other, one) };
        let ratio = shl_64_div(upper, lower)?;
        let above = ratio.checked_sub(ONE).ok_or(MATH_OVERFLOW)?;
        let bins = wide::div_floor(above, self.bin_step_q64).ok_or(MATH_OVERFLOW)?;
        wide::checked_mul(bins, 2).ok_or_else(|| MATH_OVERFLOW.into())
    }
}
