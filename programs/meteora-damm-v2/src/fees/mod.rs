//! What a swap costs: a base fee that may fall with time or with the price, and one that rises with volatility.

pub mod base;
pub mod dynamic;

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::keys::{BPS, FEE_DENOMINATOR};
use crate::math::{mul_div, Rounding};
use crate::state::pool::Pool;
use sluice_program::math::narrow;
use sluice_program::Result;

/// Where a fee goes.
#[derive(Clone, Copy, Default)]
pub struct Split {
    /// To those who provide liquidity, for them to claim.
    pub claiming: u64,
    /// Stays in the reserves.
    pub compounding: u64,
    pub protocol: u64,
    pub referral: u64,
}

/// The fee of a swap in billionths. `b_to_a` counts for fees that are deprecated.
#[inline(never)]
pub fn rate(pool: &Pool, point: u64, b_to_a: bool, most: u64) -> Result<u64> {
    let base = pool.base_fee.rate(pool, point, b_to_a)?;
    let variable = pool.dynamic_fee.rate()?;
    let sum = variable.checked_add(base as u128).ok_or(MATH_OVERFLOW)?;
    Ok(narrow(sum).ok_or(TYPE_CAST_FAILED)?.min(most))
}

/// The fee within an amount.
pub fn within(amount: u64, rate: u64) -> Result<u64> {
    mul_div(amount, rate, FEE_DENOMINATOR, Rounding::Up)
}

/// The fee on top of an amount, so that it remains.
pub fn on_top(amount: u64, rate: u64) -> Result<u64> {
    let kept = FEE_DENOMINATOR.checked_sub(rate).ok_or(MATH_OVERFLOW)?;
    let gross = mul_div(amount, FEE_DENOMINATOR, kept, Rounding::Up)?;
    gross.checked_sub(amount).ok_or_else(|| MATH_OVERFLOW.into())
}

#[inline(never)]
pub fn split(pool: &Pool, fee: u64, has_referral: bool) -> Result<Split> {
    let share = |of: u64, part: u64, whole: u64| mul_div(of, part, whole, Rounding::Down);
    let protocol = share(fee, pool.protocol_fee_percent as u64, 100)?;
    let trading = fee.checked_sub(protocol).ok_or(MATH_OVERFLOW)?;
    let compounding =
        if pool.compounding_bps > 0 { share(trading, pool.compounding_bps as u64, BPS)? } else { 0 };
    let claiming = trading.checked_sub(compounding).ok_or(MATH_OVERFLOW)?;
    let referral = if has_referral { share(protocol, pool.referral_fee_percent as u64, 100)? } else { 0 };
    let protocol = protocol.checked_sub(referral).ok_or(MATH_OVERFLOW)?;
    Ok(Split { claiming, compounding, protocol, referral })
}
