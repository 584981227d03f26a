//! The amounts of a swap before transfer fees, and its changes of the pool.

use crate::error::MATH_OVERFLOW;
use crate::fees::{self, Split};
use crate::liquidity::{self, is_compounding};
use crate::state::pool::{CollectFeeMode, Pool};
use sluice_meteora::math::{root, shl_128_div};
use sluice_program::Result;

/// The terms of a swap, without its amounts.
#[derive(Clone, Copy)]
pub struct Terms {
    pub a_to_b: bool,
    pub fees_on_input: bool,
    pub fees_on_token_a: bool,
    pub has_referral: bool,
    /// The slot or the second.
    pub point: u64,
}

impl Terms {
    /// Returns the terms of a swap in a pool with this fee mode.
    pub fn of(mode: CollectFeeMode, a_to_b: bool, has_referral: bool, point: u64) -> Self {
        let fees_on_input = !a_to_b && mode != CollectFeeMode::Output;
        let fees_on_token_a = !a_to_b && mode == CollectFeeMode::Output;
        Self { a_to_b, fees_on_input, fees_on_token_a, has_referral, point }
    }
}

/// Amounts without transfer fees.
pub struct Swapped {
    /// The input including the swap's fee if the fee is taken from it. `traded_input` excludes the fee.
    pub input: u64,
    pub traded_input: u64,
    pub left: u64,
    /// The output after the swap's fee.
    pub output: u64,
    pub next_sqrt_price: u128,
    pub split: Split,
}

/// Computes a swap of an exact input. With `in_part`, only the part for which the price range has room is swapped.
#[inline(never)]
pub fn from_input(pool: &Pool, terms: &Terms, amount: u64, in_part: bool) -> Result<Swapped> {
    let max_rate = pool.max_fee()?;
    let rate = fees::rate(pool, terms.point, !terms.a_to_b, max_rate)?;
    let fee = if terms.fees_on_input { fees::within(amount, rate)? } else { 0 };
    let mut split = fees::split(pool, fee, terms.has_referral)?;
    let mut traded_input = amount.checked_sub(fee).ok_or(MATH_OVERFLOW)?;
    let reached = liquidity::from_input(pool, traded_input, terms.a_to_b, in_part)?;

    let mut input = amount;
    if reached.left > 0 {
        traded_input = traded_input.checked_sub(reached.left).ok_or(MATH_OVERFLOW)?;
        input = traded_input;
        if terms.fees_on_input {
            let fee = fees::on_top(traded_input, rate)?;
            split = fees::split(pool, fee, terms.has_referral)?;
            input = traded_input.checked_add(fee).ok_or(MATH_OVERFLOW)?;
        }
    }
    let mut output = reached.output;
    if !terms.fees_on_input {
        let fee = fees::within(output, rate)?;
        output = output.checked_sub(fee).ok_or(MATH_OVERFLOW)?;
        split = fees::split(pool, fee, terms.has_referral)?;
    }
    let next_sqrt_price = reached.next_sqrt_price;
    Ok(Swapped { input, traded_input, left: reached.left, output, next_sqrt_price, split })
}

/// Computes a swap for an exact output.
#[inline(never)]
pub fn from_output(pool: &Pool, terms: &Terms, output: u64) -> Result<Swapped> {
    let max_rate = pool.max_fee()?;
    let rate = fees::rate(pool, terms.point, !terms.a_to_b, max_rate)?;
    let output_fee = if terms.fees_on_input { 0 } else { fees::on_top(output, rate)? };
    let gross = output.checked_add(output_fee).ok_or(MATH_OVERFLOW)?;
    let taken = liquidity::from_output(pool, gross, terms.a_to_b)?;
    let input_fee = if terms.fees_on_input { fees::on_top(taken.input, rate)? } else { 0 };
    let input = taken.input.checked_add(input_fee).ok_or(MATH_OVERFLOW)?;
    let fee = if terms.fees_on_input { input_fee } else { output_fee };
    let split = fees::split(pool, fee, terms.has_referral)?;
    let next_sqrt_price = taken.next_sqrt_price;
    Ok(Swapped { input, traded_input: taken.input, left: 0, output, next_sqrt_price, split })
}

/// Updates fees, reserves, price and volatility.
#[inline(never)]
pub fn apply(pool: &mut Pool, terms: &Terms, swapped: &Swapped, now: u64) -> Result {
    let old_sqrt_price = pool.sqrt_price;
    let Split { claiming, compounding, protocol, referral } = swapped.split;
    let per_liquidity = shl_128_div(claiming, pool.liquidity)?;
    let trading = claiming.checked_add(compounding).ok_or(MATH_OVERFLOW)?;
    let side = !terms.fees_on_token_a as usize;
    pool.protocol_fees[side] = pool.protocol_fees[side].checked_add(protocol).ok_or(MATH_OVERFLOW)?;
    let grown = pool.fee_per_liquidity[side].checked_add(per_liquidity);
    pool.fee_per_liquidity[side] = grown.ok_or(MATH_OVERFLOW)?;
    let total = pool.total_lp_fees[side].checked_add(trading as u128);
    pool.total_lp_fees[side] = total.ok_or(MATH_OVERFLOW)?;
    let total = pool.total_protocol_fees[side].checked_add(protocol);
    pool.total_protocol_fees[side] = total.ok_or(MATH_OVERFLOW)?;

    let mut paid = swapped.output;
    if !terms.fees_on_input {
        for part in [trading, protocol, referral] {
            paid = paid.checked_add(part).ok_or(MATH_OVERFLOW)?;
        }
    }
    let (gained, given) = if terms.a_to_b {
        ([swapped.traded_input, 0], [0, paid])
    } else {
        ([0, swapped.traded_input], [paid, 0])
    };
    pool.add_amounts(gained)?;
    pool.take_amounts(given)?;
    pool.add_amounts([0, compounding])?;

    pool.sqrt_price = if is_compounding(pool)? {
        root::of_reserves(pool.amounts[0], pool.amounts[1])?
    } else {
        swapped.next_sqrt_price
    };
    pool.dynamic_fee.after_swap(old_sqrt_price, pool.sqrt_price, now)
}
