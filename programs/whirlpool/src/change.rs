//! Changes of a position's liquidity, which several instructions share.

use crate::error::{LIQUIDITY_TOO_HIGH, LIQUIDITY_ZERO};
use crate::instructions::now;
use crate::math::add_liquidity;
use crate::math::amount::{liquidity_of_a, liquidity_of_b, Gap, Stretch};
use crate::math::tick::price_at;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::tick::{Ending, Tick};
use crate::state::tick_array::TickArray;
use crate::tick_rent::{self, End};
use sluice_program::bytes::Writer;
use sluice_program::{anchor, log, Account, Result};

pub const INCREASED: [u8; 8] = anchor::event("LiquidityIncreased");
pub const DECREASED: [u8; 8] = anchor::event("LiquidityDecreased");
const EVENT_LEN: usize = 8 + 2 * 32 + 2 * 4 + 16 + 4 * 8;

/// The accounts that a change writes. The arrays are those of the lower and the upper end.
#[derive(Clone, Copy)]
pub struct LiquidityAccounts<'a> {
    pub pool: Account<'a>,
    pub position: Account<'a>,
    pub arrays: [Account<'a>; 2],
}

/// The moved amounts of token A and token B, and the transfer fees that the mints withhold from them.
pub struct Moved {
    pub amounts: [u64; 2],
    pub fees: [u64; 2],
}

/// Converts liquidity to a signed number. Fails with LiquidityZero, or with LiquidityTooHigh if it does not fit.
pub fn signed(liquidity: u128) -> Result<i128> {
    if liquidity == 0 {
        return Err(LIQUIDITY_ZERO.into());
    }
    if liquidity >> 127 != 0 {
        return Err(LIQUIDITY_TOO_HIGH.into());
    }
    Ok(liquidity as i128)
}

/// Changes the liquidity of pool, position and both ticks, and records what the position earned.
#[inline(never)]
pub fn modify(changed: &LiquidityAccounts, pool: &mut Pool, position: &mut Position, delta: i128) -> Result {
    let now = now()?;
    let (lower, lower_dynamic) = read(changed, 0, position.lower, pool)?;
    let (upper, upper_dynamic) = read(changed, 1, position.upper, pool)?;

    let in_range = position.lower <= pool.tick && pool.tick < position.upper;
    let liquidity = if in_range { add_liquidity(pool.liquidity, delta) } else { Ok(pool.liquidity) };
    pool.update_rewards(now)?;
    let liquidity = liquidity?;
    let next_lower = lower.changed(pool, &Ending { index: position.lower, delta, is_upper: false })?;
    let next_upper = upper.changed(pool, &Ending { index: position.upper, delta, is_upper: true })?;
    position.earn(pool, [&lower, &upper]);
    let before = position.liquidity;
    position.liquidity = add_liquidity(before, delta)?;
    pool.liquidity = liquidity;

    let [lower_array, upper_array] = changed.arrays;
    let lower_used = [lower.initialized, next_lower.initialized];
    let upper_used = [upper.initialized, next_upper.initialized];
    let ends = [
        End { array: lower_array, is_dynamic: lower_dynamic, used: lower_used },
        End { array: upper_array, is_dynamic: upper_dynamic, used: upper_used },
    ];
    tick_rent::move_rent(changed.position, &ends, [before != 0, position.liquidity != 0])?;
    tick_rent::grow(&ends)?;
    let spacing = pool.tick_spacing as i32;
    TickArray::load(lower_array, changed.pool.address())?.set_tick(position.lower, spacing, &next_lower)?;
    TickArray::load(upper_array, changed.pool.address())?.set_tick(position.upper, spacing, &next_upper)?;
    tick_rent::shrink(&ends)?;
    position.save(changed.position)?;
    pool.save(changed.pool)
}

/// Returns the tick at one end of the position, and whether its array has the dynamic form.
fn read(changed: &LiquidityAccounts, end: usize, index: i32, pool: &Pool) -> Result<(Tick, bool)> {
    let array = TickArray::load(changed.arrays[end], changed.pool.address())?;
    Ok((array.tick(index, pool.tick_spacing as i32)?, array.is_dynamic()))
}

/// Returns the amounts of token A and token B that the liquidity in the position's range is worth.
#[inline(never)]
pub fn amounts_of(pool: &Pool, position: &Position, liquidity: &u128, round_up: bool) -> Result<[u64; 2]> {
    let liquidity = *liquidity;
    let (lower, upper) = (price_at(position.lower), price_at(position.upper));
    let a = |from: u128| Stretch { from, to: upper, liquidity }.amount_a(round_up);
    let b = |to: u128| Stretch { from: lower, to, liquidity }.amount_b(round_up);
    if pool.tick < position.lower {
        Ok([a(lower)??, 0])
    } else if pool.tick < position.upper {
        Ok([a(pool.sqrt_price)??, b(pool.sqrt_price)?])
    } else {
        Ok([0, b(upper)?])
    }
}

/// Returns the maximum liquidity in the position's range for which both amounts suffice, rounded down. Fails with
/// NumberDownCastError if it exceeds u128.
#[inline(never)]
pub fn max_liquidity(pool: &Pool, position: &Position, amounts: &[u64; 2]) -> Result<u128> {
    let (lower, upper) = (price_at(position.lower), price_at(position.upper));
    let price = pool.sqrt_price;
    let of_a = |from: u128| liquidity_of_a(&Gap { from, to: upper, amount: amounts[0] });
    let of_b = |to: u128| liquidity_of_b(&Gap { from: lower, to, amount: amounts[1] });
    if price >= upper {
        Ok(of_b(upper))
    } else if price <= lower {
        of_a(lower)
    } else {
        Ok(of_a(price)?.min(of_b(price)))
    }
}

/// Logs the event of a change.
#[inline(never)]
pub fn emit(
    tag: &[u8; 8],
    changed: &LiquidityAccounts,
    position: &Position,
    change: (u128, Moved),
) -> Result {
    let (liquidity, Moved { amounts, fees }) = change;
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(tag)?;
    event.address(changed.pool.address())?;
    event.address(changed.position.address())?;
    event.u32(position.lower as u32)?;
    event.u32(position.upper as u32)?;
    event.u128(liquidity)?;
    for amount in [amounts[0], amounts[1], fees[0], fees[1]] {
        event.u64(amount)?;
    }
    log::data(&[event.written()]);
    Ok(())
}
