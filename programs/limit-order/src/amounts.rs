//! What a part of an order costs, and the fee of it.

use sluice_program::{math, Result};

use crate::errors::{INVALID_MAKING_AMOUNT, INVALID_MAX_TAKING_AMOUNT, INVALID_TAKING_AMOUNT, MATH_OVERFLOW};
use crate::state::Order;

/// A hundred percent.
pub const BPS: u64 = 10_000;

/// What a taker pays for a part of an order.
pub struct Payment {
    /// What the part costs at the order's price.
    pub owed: u64,
    /// What the taker pays, with the fee. It is less than `owed` only within the order's slippage.
    pub paid: u64,
    pub fee: u64,
}

/// Returns what `making` atoms of the order cost, rounded up: at least one atom, and all that is left for the
/// rest.
///
/// Fails with InvalidMakingAmount for nothing or more than the rest, and with InvalidTakingAmount for a part
/// after which nothing would be left to be paid for the rest.
#[inline(never)]
pub fn compute_owed(order: &Order, making: u64) -> Result<u64> {
    if making == 0 || making > order.making_amount {
        return Err(INVALID_MAKING_AMOUNT.into());
    }
    if making == order.making_amount {
        return Ok(order.taking_amount);
    }
    let owed = math::mul_div_ceil(making, order.taking_amount, order.making_amount).ok_or(MATH_OVERFLOW)?;
    if owed >= order.taking_amount {
        return Err(INVALID_TAKING_AMOUNT.into());
    }
    Ok(owed)
}

/// Returns what a taker pays that pays no more than `maximum`. Fails with InvalidMaxTakingAmount if the maker
/// does not accept that little.
#[inline(never)]
pub fn compute_payment(order: &Order, making: u64, maximum: u64) -> Result<Payment> {
    let owed = compute_owed(order, making)?;
    let kept = BPS.saturating_sub(order.slippage_bps as u64);
    let least = math::mul_div_ceil(owed, kept, BPS).ok_or(MATH_OVERFLOW)?;
    let paid = owed.min(maximum);
    if paid < least {
        return Err(INVALID_MAX_TAKING_AMOUNT.into());
    }
    Ok(Payment { owed, paid, fee: compute_fee(order, owed, paid)? })
}

/// Returns the fee of a payment. The sum of an order's fees is rounded up once, so that the maker gets as
/// much from many parts as from one. It is never more than the rounded fee of this payment, and leaves the
/// maker at least one atom: an atom may be worth much.
fn compute_fee(order: &Order, owed: u64, paid: u64) -> Result<u64> {
    let before = order.ori_taking_amount.checked_sub(order.taking_amount).ok_or(MATH_OVERFLOW)?;
    let after = before.checked_add(owed).ok_or(MATH_OVERFLOW)?;
    let of = |amount| math::mul_div_ceil(amount, order.fee_bps as u64, BPS).ok_or(MATH_OVERFLOW);
    let due = of(after)?.checked_sub(of(before)?).ok_or(MATH_OVERFLOW)?;
    Ok(due.min(of(paid)?).min(paid.saturating_sub(1)))
}
