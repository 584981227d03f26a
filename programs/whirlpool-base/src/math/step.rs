//! A step of a swap, between two prices with no initialized tick between them.

use crate::error::NUMBER_CAST;
use crate::keys::FEE_RATE_DENOMINATOR;
use crate::math::amount::{Amount, Stretch};
use crate::math::price::Change;
use sluice_program::{math, Result};

/// The remaining amount of a swap, with its terms.
#[derive(Clone, Copy)]
pub struct Task {
    pub remaining: u64,
    pub fee_rate: u64,
    pub exact_in: bool,
    pub a_to_b: bool,
}

/// The result of a step. `amount_in` excludes the fee.
pub struct Step {
    pub amount_in: u64,
    pub amount_out: u64,
    pub fee: u64,
    pub sqrt_price: u128,
}

/// Swaps at most as far as the end of the stretch.
#[inline(never)]
pub fn swap(task: &Task, stretch: &Stretch) -> Result<Step> {
    let Task { remaining, fee_rate, exact_in, .. } = *task;
    let kept = FEE_RATE_DENOMINATOR - fee_rate;
    let usable = if exact_in {
        math::mul_div_floor(remaining, kept, FEE_RATE_DENOMINATOR).ok_or(NUMBER_CAST)?
    } else {
        remaining
    };
    let to_end = given(task, stretch)?;
    let reaches = matches!(to_end, Ok(amount) if amount <= usable);
    let sqrt_price = if reaches { stretch.to } else { price_after(task, stretch, usable)? };
    let done = Stretch { from: stretch.from, to: sqrt_price, liquidity: stretch.liquidity };
    let other = other(task, &done)??;
    let given = if reaches { to_end? } else { given(task, &done)?? };
    let (amount_in, amount_out) = if exact_in { (given, other) } else { (other, given.min(remaining)) };
    // An exact input that ends within the stretch is used completely: the fee includes what rounding leaves.
    let fee = if exact_in && sqrt_price != stretch.to {
        remaining - amount_in
    } else {
        math::mul_div_ceil(amount_in, fee_rate, kept).ok_or(NUMBER_CAST)?
    };
    Ok(Step { amount_in, amount_out, fee, sqrt_price })
}

/// Returns the amount of the token whose amount was given. An input is rounded up, an output down.
fn given(task: &Task, stretch: &Stretch) -> Result<Amount> {
    if task.a_to_b == task.exact_in {
        stretch.amount_a(task.exact_in)
    } else {
        Ok(stretch.amount_b(task.exact_in))
    }
}

fn other(task: &Task, stretch: &Stretch) -> Result<Amount> {
    if task.a_to_b == task.exact_in {
        Ok(stretch.amount_b(!task.exact_in))
    } else {
        stretch.amount_a(!task.exact_in)
    }
}

fn price_after(task: &Task, stretch: &Stretch, amount: u64) -> Result<u128> {
    let change =
        Change { sqrt_price: stretch.from, liquidity: stretch.liquidity, amount, adds: task.exact_in };
    if task.a_to_b == task.exact_in {
        change.of_token_a()
    } else {
        change.of_token_b()
    }
}
