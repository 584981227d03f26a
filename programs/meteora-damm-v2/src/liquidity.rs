//! The amounts that a pool's liquidity receives and pays: within a price range, or, in compounding pools, over the
//! whole curve.

use crate::error::{convert, MATH_OVERFLOW, PRICE_RANGE_VIOLATION, TYPE_CAST_FAILED};
use crate::math::{mul_div, mul_div_wide};
use crate::state::pool::{CollectFeeMode, Pool};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::price::PriceState;
use sluice_meteora::math::Rounding;
use sluice_program::math::narrow;
use sluice_program::wide::U256;
use sluice_program::Result;

/// The result of an exact input.
pub struct FromInput {
    pub output: u64,
    /// The part of the input for which the price range has no room.
    pub left: u64,
    /// It is not computed in compounding pools, where the reserves determine the price.
    pub next_sqrt_price: u128,
}

/// The result of an exact output.
pub struct FromOutput {
    pub input: u64,
    pub next_sqrt_price: u128,
}

/// Returns whether the pool's fees compound.
pub fn is_compounding(pool: &Pool) -> Result<bool> {
    Ok(pool.collect_fee_mode()? == CollectFeeMode::Compounding)
}

/// Computes an exact input. Fails with PriceRangeViolation if the price would leave the range, unless `in_part` is
/// set.
#[inline(never)]
pub fn from_input(pool: &Pool, amount: u64, a_to_b: bool, in_part: bool) -> Result<FromInput> {
    if is_compounding(pool)? {
        let [reserve_in, reserve_out] = reserves_by_direction(pool, a_to_b);
        let divisor = reserve_in.checked_add(amount).ok_or(MATH_OVERFLOW)?;
        let output = mul_div(reserve_out, amount, divisor, Rounding::Down)?;
        return Ok(FromInput { output, left: 0, next_sqrt_price: 0 });
    }
    let (left, next_sqrt_price) = if in_part {
        price_in_part(pool, amount, a_to_b)?
    } else {
        (0, checked_price(pool, after(pool, amount, a_to_b, true)?)?)
    };
    let output = paid(pool, next_sqrt_price, a_to_b)?;
    Ok(FromInput { output, left, next_sqrt_price })
}

/// Computes an exact output. Fails with PriceRangeViolation if the price would leave the range.
#[inline(never)]
pub fn from_output(pool: &Pool, amount: u64, a_to_b: bool) -> Result<FromOutput> {
    if is_compounding(pool)? {
        let [reserve_in, reserve_out] = reserves_by_direction(pool, a_to_b);
        let divisor = reserve_out.checked_sub(amount).ok_or(MATH_OVERFLOW)?;
        let input = mul_div(reserve_in, amount, divisor, Rounding::Up)?;
        return Ok(FromOutput { input, next_sqrt_price: 0 });
    }
    let next_sqrt_price = checked_price(pool, after(pool, amount, a_to_b, false)?)?;
    let stretch = moved(pool, next_sqrt_price, a_to_b);
    let input = if a_to_b { stretch.token_a(Rounding::Up)? } else { stretch.token_b(Rounding::Up)? };
    Ok(FromOutput { input, next_sqrt_price })
}

/// Returns the amounts of token A and token B that liquidity is worth at the pool's price.
#[inline(never)]
pub fn amounts_of(pool: &Pool, liquidity: u128, rounding: Rounding) -> Result<[u64; 2]> {
    if is_compounding(pool)? {
        let share = |amount: u64| mul_div_wide(&[liquidity, amount as u128, pool.liquidity], rounding);
        return Ok([share(pool.amounts[0])?, share(pool.amounts[1])?]);
    }
    let (price, lowest, highest) = (pool.sqrt_price, pool.sqrt_min_price, pool.sqrt_max_price);
    Ok([
        Stretch { lower: price, upper: highest, liquidity }.token_a(rounding)?,
        Stretch { lower: lowest, upper: price, liquidity }.token_b(rounding)?,
    ])
}

/// Returns the amounts that all liquidity is worth. In compounding pools they are stored.
pub fn reserves(pool: &Pool) -> Result<[u64; 2]> {
    if is_compounding(pool)? {
        Ok(pool.amounts)
    } else {
        amounts_of(pool, pool.liquidity, Rounding::Up)
    }
}

fn reserves_by_direction(pool: &Pool, a_to_b: bool) -> [u64; 2] {
    let [a, b] = pool.amounts;
    if a_to_b {
        [a, b]
    } else {
        [b, a]
    }
}

/// Returns the price after an input or an output in a direction.
fn after(pool: &Pool, amount: u64, a_to_b: bool, is_input: bool) -> Result<u128> {
    let state = PriceState { sqrt_price: pool.sqrt_price, liquidity: pool.liquidity };
    let price = if a_to_b == is_input {
        state.after_token_a(amount, is_input)
    } else {
        state.after_token_b(amount, is_input)
    };
    price.map_err(convert)
}

fn checked_price(pool: &Pool, price: u128) -> Result<u128> {
    if price < pool.sqrt_min_price || price > pool.sqrt_max_price {
        Err(PRICE_RANGE_VIOLATION.into())
    } else {
        Ok(price)
    }
}

/// Returns the rest of an input, and the price, if the range may be too short for the whole input.
#[inline(never)]
fn price_in_part(pool: &Pool, amount: u64, a_to_b: bool) -> Result<(u64, u128)> {
    let end = if a_to_b { pool.sqrt_min_price } else { pool.sqrt_max_price };
    let stretch = moved(pool, end, a_to_b);
    let room =
        if a_to_b { stretch.all_of_token_a(Rounding::Up)? } else { stretch.all_of_token_b(Rounding::Up)? };
    if U256::from_u128(amount as u128) < room {
        return Ok((0, after(pool, amount, a_to_b, true)?));
    }
    let taken = room.narrow().and_then(narrow).ok_or(TYPE_CAST_FAILED)?;
    Ok((amount - taken, end))
}

/// Returns the amount that is paid out between the pool's price and another one, rounded down.
fn paid(pool: &Pool, price: u128, a_to_b: bool) -> Result<u64> {
    let stretch = moved(pool, price, a_to_b);
    if a_to_b {
        stretch.token_b(Rounding::Down)
    } else {
        stretch.token_a(Rounding::Down)
    }
}

fn moved(pool: &Pool, price: u128, a_to_b: bool) -> Stretch {
    let (lower, upper) = if a_to_b { (price, pool.sqrt_price) } else { (pool.sqrt_price, price) };
    Stretch { lower, upper, liquidity: pool.liquidity }
}
