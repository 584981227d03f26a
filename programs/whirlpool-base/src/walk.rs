//! The whole swap, tick by tick.

use crate::adaptive::Adaptive;
use crate::error::{
    AMOUNT_CALC_OVERFLOW, AMOUNT_REMAINING_OVERFLOW, INVALID_SQRT_PRICE_LIMIT_DIRECTION, NUMBER_CAST,
    PARTIAL_FILL, SQRT_PRICE_OUT_OF_BOUNDS, ZERO_TRADABLE_AMOUNT,
};
use crate::keys::PROTOCOL_FEE_RATE_DENOMINATOR;
use crate::math::add_liquidity;
use crate::math::amount::Stretch;
use crate::math::step::{self, Step, Task};
use crate::math::tick::{at_price, price_at, MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use crate::sequence::{Sequence, Stop};
use crate::state::oracle::{Oracle, Variables};
use crate::state::pool::Pool;
use sluice_program::{math, wide, Result};

/// The request of a swap. A price limit of 0 means that there is none.
#[derive(Clone, Copy)]
pub struct Order {
    pub amount: u64,
    pub sqrt_price_limit: u128,
    pub exact_in: bool,
    pub a_to_b: bool,
}

/// The time of the swap, and the values that determine an adaptive fee.
pub struct Terms<'a> {
    pub now: u64,
    pub oracle: Option<&'a Oracle>,
}

/// The amounts of a swap before transfer fees. The input includes the pool's fee.
pub struct Swapped {
    pub input: u64,
    pub output: u64,
    pub lp_fee: u64,
    pub protocol_fee: u64,
    /// The values that an adaptive fee stores after the swap.
    pub volatility: Option<Variables>,
}

struct Walk {
    task: Task,
    adaptive: Option<Adaptive>,
    limit: u128,
    calculated: u64,
    fee: u64,
    protocol_fee: u64,
    stage: usize,
}

/// Executes the order on the pool's state and on the tick arrays.
#[inline(never)]
pub fn swap(pool: &mut Pool, sequence: &mut Sequence, order: &Order, terms: &Terms) -> Result<Swapped> {
    let limit = checked_limit(pool, order)?;
    pool.update_rewards(terms.now)?;
    let price_before = pool.sqrt_price;
    let adaptive = match terms.oracle {
        Some(oracle) => Some(Adaptive::begin(oracle, pool.tick, order.a_to_b, terms.now)?),
        None => None,
    };
    let task = Task {
        remaining: order.amount,
        fee_rate: pool.fee_rate as u64,
        exact_in: order.exact_in,
        a_to_b: order.a_to_b,
    };
    let mut walk = Walk { task, adaptive, limit, calculated: 0, fee: 0, protocol_fee: 0, stage: 0 };
    while walk.task.remaining > 0 && pool.sqrt_price != walk.limit {
        walk.advance(pool, sequence)?;
    }
    let remaining = walk.task.remaining;
    if remaining > 0 && !order.exact_in && order.sqrt_price_limit == 0 {
        return Err(PARTIAL_FILL.into());
    }
    let moved = order.amount - remaining;
    let (input, output) = if order.exact_in { (moved, walk.calculated) } else { (walk.calculated, moved) };
    let side = !order.a_to_b as usize;
    pool.protocol_fees[side] += walk.protocol_fee;
    if let Some(adaptive) = &mut walk.adaptive {
        adaptive.end(price_before, pool.sqrt_price)?;
    }
    let (lp_fee, protocol_fee) = (walk.fee - walk.protocol_fee, walk.protocol_fee);
    let volatility = walk.adaptive.map(|adaptive| adaptive.variables);
    Ok(Swapped { input, output, lp_fee, protocol_fee, volatility })
}

#[inline(never)]
fn checked_limit(pool: &Pool, order: &Order) -> Result<u128> {
    let limit = match order.sqrt_price_limit {
        0 if order.a_to_b => MIN_SQRT_PRICE,
        0 => MAX_SQRT_PRICE,
        limit => limit,
    };
    if !(MIN_SQRT_PRICE..=MAX_SQRT_PRICE).contains(&limit) {
        return Err(SQRT_PRICE_OUT_OF_BOUNDS.into());
    }
    let ahead = if order.a_to_b { limit < pool.sqrt_price } else { limit > pool.sqrt_price };
    if !ahead {
        return Err(INVALID_SQRT_PRICE_LIMIT_DIRECTION.into());
    }
    if order.amount == 0 {
        return Err(ZERO_TRADABLE_AMOUNT.into());
    }
    Ok(limit)
}

impl Walk {
    /// Moves to the next stop, or as far as the amount suffices. It is one step as long as the fee stays the same.
    #[inline(never)]
    fn advance(&mut self, pool: &mut Pool, sequence: &mut Sequence) -> Result {
        let a_to_b = self.task.a_to_b;
        let stop = sequence.next(pool.tick, self.stage)?;
        let stop_price = price_at(stop.tick);
        let target = if a_to_b { stop_price.max(self.limit) } else { stop_price.min(self.limit) };
        loop {
            let mut to = target;
            if let Some(adaptive) = &mut self.adaptive {
                self.task.fee_rate = adaptive.rate(pool.fee_rate)?;
                to = adaptive.bounded(target, pool.liquidity != 0);
            }
            let stretch = Stretch { from: pool.sqrt_price, to, liquidity: pool.liquidity };
            let done = step::swap(&self.task, &stretch)?;
            self.book(&done)?;
            self.share(pool, done.fee)?;
            if done.sqrt_price == stop_price {
                self.cross(pool, sequence, stop)?;
            } else if done.sqrt_price != pool.sqrt_price {
                pool.tick = at_price(done.sqrt_price);
            }
            pool.sqrt_price = done.sqrt_price;
            if let Some(adaptive) = &mut self.adaptive {
                adaptive.advance(pool.sqrt_price, pool.sqrt_price == stop_price, stop.tick);
            }
            if self.task.remaining == 0 || pool.sqrt_price == target {
                return Ok(());
            }
        }
    }

    #[inline(never)]
    fn book(&mut self, done: &Step) -> Result {
        let gross = done.amount_in.checked_add(done.fee);
        let (spent, gained, too_much) = if self.task.exact_in {
            (gross, Some(done.amount_out), AMOUNT_REMAINING_OVERFLOW)
        } else {
            (Some(done.amount_out), gross, AMOUNT_CALC_OVERFLOW)
        };
        let spent = spent.ok_or(too_much)?;
        let gained = gained.ok_or(too_much)?;
        self.task.remaining = self.task.remaining.checked_sub(spent).ok_or(AMOUNT_REMAINING_OVERFLOW)?;
        self.calculated = self.calculated.checked_add(gained).ok_or(AMOUNT_CALC_OVERFLOW)?;
        self.fee = self.fee.checked_add(done.fee).ok_or(AMOUNT_CALC_OVERFLOW)?;
        Ok(())
    }

    /// Divides the step's fee between the protocol and the liquidity.
    #[inline(never)]
    fn share(&mut self, pool: &mut Pool, fee: u64) -> Result {
        let protocol = math::mul_div_floor(fee, pool.protocol_fee_rate as u64, PROTOCOL_FEE_RATE_DENOMINATOR)
            .ok_or(NUMBER_CAST)?;
        self.protocol_fee = self.protocol_fee.wrapping_add(protocol);
        if let Some(growth) = wide::div_floor(((fee - protocol) as u128) << 64, pool.liquidity) {
            let side = !self.task.a_to_b as usize;
            pool.fee_growth[side] = pool.fee_growth[side].wrapping_add(growth);
        }
        Ok(())
    }

    #[inline(never)]
    fn cross(&mut self, pool: &mut Pool, sequence: &mut Sequence, stop: Stop) -> Result {
        let a_to_b = self.task.a_to_b;
        if let Some(mut tick) = sequence.tick(stop) {
            let delta = if a_to_b { tick.net.wrapping_neg() } else { tick.net };
            pool.liquidity = add_liquidity(pool.liquidity, delta)?;
            tick.cross(pool);
            sequence.set_tick(stop, &tick)?;
        }
        self.stage = sequence.stage_after(stop);
        // If the price falls, searches include the current tick, so the swap must move below the crossed tick.
        pool.tick = if a_to_b { stop.tick - 1 } else { stop.tick };
        Ok(())
    }
}
