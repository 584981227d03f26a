//! The arithmetic of a swap: the fees, and the product of the reserves, which must not fall. Every rounding favours
//! the pool.

use crate::error::{in_range, out_of_range};
use crate::keys::FEE_RATE_DENOMINATOR;
use sluice_program::math::{mul_div_ceil, mul_div_floor, narrow, widening_mul};
use sluice_program::wide;

/// The rates in millionths. Protocol and fund rates are shares of the trade fee.
#[derive(Clone, Copy)]
pub struct Rates {
    pub trade: u64,
    pub creator: u64,
    pub protocol: u64,
    pub fund: u64,
    /// Whether the creator is paid in the input token.
    pub creator_on_input: bool,
}

/// The pool's own amounts of the two tokens.
#[derive(Clone, Copy)]
pub struct Reserves {
    pub input: u64,
    pub output: u64,
}

/// The result of a swap, before transfer fees. The trade fee includes the shares of protocol and fund.
#[derive(Clone, Copy)]
pub struct Swap {
    pub input: u64,
    pub output: u64,
    pub trade_fee: u64,
    pub creator_fee: u64,
    pub protocol_fee: u64,
    pub fund_fee: u64,
    /// Whether the product of the reserves, without fees, is at least the previous one.
    pub keeps_product: bool,
}

/// Computes a swap of exactly `input`. Returns None if the fees exceed it.
#[inline(always)]
pub fn swap_exact_in(input: u64, reserves: &Reserves, rates: &Rates) -> Option<Swap> {
    let input_fee = mul_div_ceil(input, input_rate(rates), FEE_RATE_DENOMINATOR)?;
    let traded = input.checked_sub(input_fee)?;
    let new_input = reserves.input as u128 + traded as u128;
    // The traded input is below the new input reserve, so the result is below the output reserve.
    let gross = narrow(wide::div_floor(widening_mul(traded, reserves.output), new_input)?)?;
    let creator_cut = if rates.creator_on_input { 0 } else { fee(gross, rates.creator)? };
    let output = gross.checked_sub(creator_cut)?;
    book(&Movement { input, traded, gross, output }, reserves, rates)
}

/// Computes a swap for exactly `output`. Returns None if a rate leaves nothing. Amounts beyond the pool end the
/// program.
#[inline(always)]
pub fn swap_exact_out(output: u64, reserves: &Reserves, rates: &Rates) -> Option<Swap> {
    let gross = if rates.creator_on_input {
        output
    } else {
        in_range(before_fee(output, rates.creator), "output with creator fee")
    };
    let rest = match reserves.output.checked_sub(gross) {
        Some(rest) if rest != 0 => rest,
        _ => out_of_range("output beyond the reserve"),
    };
    let traded = in_range(mul_div_ceil(reserves.input, gross, rest), "input");
    let input = in_range(before_fee(traded, input_rate(rates)), "input with fee");
    book(&Movement { input, traded, gross, output }, reserves, rates)
}

/// Returns ceil(amount × rate).
#[inline(always)]
fn fee(amount: u64, rate: u64) -> Option<u64> {
    mul_div_ceil(amount, rate, FEE_RATE_DENOMINATOR)
}

/// Returns the minimum amount that leaves `net` after a fee at `rate`. Returns None if it exceeds u64 or the rate is
/// 100 percent.
#[inline(always)]
fn before_fee(net: u64, rate: u64) -> Option<u64> {
    if rate == 0 {
        return Some(net);
    }
    mul_div_ceil(net, FEE_RATE_DENOMINATOR, FEE_RATE_DENOMINATOR.checked_sub(rate)?)
}

#[inline(always)]
fn input_rate(rates: &Rates) -> u64 {
    if rates.creator_on_input {
        in_range(rates.trade.checked_add(rates.creator), "fee rate")
    } else {
        rates.trade
    }
}

/// The amount that is paid in, the part of it that enters the reserves, the amount that leaves them, and the part of
/// that which is paid out.
struct Movement {
    input: u64,
    traded: u64,
    gross: u64,
    output: u64,
}

/// Distributes the fees.
#[inline(always)]
fn book(movement: &Movement, reserves: &Reserves, rates: &Rates) -> Option<Swap> {
    let Movement { input, traded, gross, output } = *movement;
    let input_fee = input - traded;
    let rate = input_rate(rates);
    // Later public builds divide by the sum of the rates even if it is zero, and so refuse a pool without any fee.
    // Earlier ones, and this program, swap there.
    let (trade_fee, creator_fee) = if !rates.creator_on_input {
        (input_fee, gross - output)
    } else if rate == 0 {
        (input_fee, 0)
    } else {
        let creator_fee = mul_div_floor(input_fee, rates.creator, rate)?;
        (input_fee - creator_fee, creator_fee)
    };
    let new_input = reserves.input as u128 + traded as u128;
    let before = widening_mul(reserves.input, reserves.output);
    let after =
        in_range(wide::checked_mul(new_input, (reserves.output - gross) as u128), "product of reserves");
    Some(Swap {
        input,
        output,
        trade_fee,
        creator_fee,
        protocol_fee: mul_div_floor(trade_fee, rates.protocol, FEE_RATE_DENOMINATOR)?,
        fund_fee: mul_div_floor(trade_fee, rates.fund, FEE_RATE_DENOMINATOR)?,
        keeps_product: after >= before,
    })
}

/// The rounding of a share of the pool in tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    Down,
    /// Rounds up, except that zero stays zero: LP tokens that are worth less than an atom cost nothing and are
    /// refused.
    Up,
}

/// Returns the part of a reserve that `lp_amount` of `lp_supply` is worth. Returns None if the supply is zero.
#[inline(always)]
pub fn share_of_reserve(lp_amount: u64, lp_supply: u64, reserve: u64, rounding: Rounding) -> Option<u64> {
    let (share, rest) = wide::div_rem(widening_mul(lp_amount, reserve), lp_supply as u128)?;
    let up = rounding == Rounding::Up && rest != 0 && share != 0;
    Some(in_range(narrow(share + up as u128), "share of the reserve"))
}
