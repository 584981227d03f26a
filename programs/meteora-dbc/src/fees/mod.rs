//! The fee of a swap: a base fee that falls with time or rises with the amount, and a dynamic fee that rises with
//! volatility.

pub mod base;
pub mod dynamic;
pub mod limiter;

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::keys::{FEE_DENOMINATOR, MAX_FEE, PROTOCOL_FEE_PERCENT, REFERRAL_FEE_PERCENT};
use crate::state::fees::{PoolFees, Volatility};
use sluice_program::math::{mul_div_ceil, mul_div_floor, narrow};
use sluice_program::Result;

/// An amount in which a fee is contained, or one that remains after the fee.
#[derive(Clone, Copy)]
pub enum Amount {
    WithFee(u64),
    WithoutFee(u64),
}

/// What the fee rate of a swap depends on besides the amount.
pub struct Conditions<'a> {
    pub fees: &'a PoolFees,
    pub volatility: &'a Volatility,
    pub time: Time,
    /// Whether the swap pays the lowest base fee and nothing else.
    pub is_at_minimum: bool,
}

/// The time of a swap in slots or seconds, and the direction, because sales are not limited.
#[derive(Clone, Copy)]
pub struct Time {
    pub point: u64,
    pub activation: u64,
    pub is_purchase: bool,
}

impl Conditions<'_> {
    /// Returns the fee rate in billionths.
    #[inline(never)]
    pub fn rate(&self, amount: Amount) -> Result<u64> {
        if self.is_at_minimum {
            return self.fees.base.minimum();
        }
        let base = self.fees.base.rate(&self.time, amount)?;
        let variable = self.fees.dynamic.rate(self.volatility)?;
        let sum = variable.checked_add(base as u128).ok_or(MATH_OVERFLOW)?;
        Ok(narrow(sum).unwrap_or(MAX_FEE).min(MAX_FEE))
    }
}

/// The receivers of a fee.
#[derive(Clone, Copy, Default)]
pub struct Split {
    /// The part of partner and creator.
    pub trading: u64,
    pub protocol: u64,
    pub referral: u64,
}

impl Split {
    /// Splits a fee between its receivers.
    #[inline(never)]
    pub fn of(fee: u64, has_referral: bool) -> Result<Self> {
        let whole = share(fee, PROTOCOL_FEE_PERCENT)?;
        let trading = fee.checked_sub(whole).ok_or(MATH_OVERFLOW)?;
        let referral = if has_referral { share(whole, REFERRAL_FEE_PERCENT)? } else { 0 };
        let protocol = whole.checked_sub(referral).ok_or(MATH_OVERFLOW)?;
        Ok(Self { trading, protocol, referral })
    }
}

/// Returns a share in percent, rounded down.
pub fn share(amount: u64, percent: u64) -> Result<u64> {
    mul_div_floor(amount, percent, 100).ok_or_else(|| TYPE_CAST_FAILED.into())
}

/// Returns the fee that is contained in an amount.
pub fn within(amount: u64, rate: u64) -> Result<u64> {
    mul_div_ceil(amount, rate, FEE_DENOMINATOR).ok_or_else(|| TYPE_CAST_FAILED.into())
}

/// Returns the amount of which `net` remains after the fee.
#[inline(never)]
pub fn gross_of(net: u64, rate: u64) -> Result<u64> {
    let kept = FEE_DENOMINATOR.checked_sub(rate).filter(|kept| *kept != 0).ok_or(MATH_OVERFLOW)?;
    mul_div_ceil(net, FEE_DENOMINATOR, kept).ok_or_else(|| TYPE_CAST_FAILED.into())
}
