//! The fee of a swap: a base fee that may fall with time or with the price, and a dynamic fee that rises with
//! volatility.

pub mod base;
pub mod dynamic;

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::keys::{BPS, FEE_DENOMINATOR};
use crate::math::mul_div;
use crate::state::pool::Pool;
use sluice_meteora::math::Rounding;
use sluice_program::math::narrow;
use sluice_program::Result;

/// The receivers of a fee.
#[derive(Clone, Copy, Default)]
pub struct Split {
    /// The part that liquidity providers claim.
    pub claiming: u64,
    /// The part that stays in the reserves.
    pub compounding: u64,
    pub protocol: u64,
    pub referral: u64,
}

/// Returns the fee rate of a swap in billionths, of at max `max`. `b_to_a` affects only deprecated fees.
#[inline(never)]
pub fn rate(pool: &Pool, point: u64, b_to_a: bool, max: u64) -> Result<u64> {
    let base = pool.base_fee.rate(pool, point, b_to_a)?;
    let variable = pool.dynamic_fee.rate()?;
    let sum = variable.checked_add(base as u128).ok_or(MATH_OVERFLOW)?;
    Ok(narrow(sum).ok_or(TYPE_CAST_FAILED)?.min(max))
}

/// Returns the fee that is contained in an amount.
pub fn within(amount: u64, rate: u64) -> Result<u64> {
    mul_div(amount, rate, FEE_DENOMINATOR, Rounding::Up)
}

/// Returns the fee to add to an amount so that the amount remains after it.
pub fn on_top(amount: u64, rate: u64) -> Result<u64> {
    let kept = FEE_DENOMINATOR.checked_sub(rate).ok_or(MATH_OVERFLOW)?;
    let gross = mul_div(amount, FEE_DENOMINATOR, kept, Rounding::Up)?;
    gross.checked_sub(amount).ok_or_else(|| MATH_OVERFLOW.into())
}

/// Splits a fee between its receivers.
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
