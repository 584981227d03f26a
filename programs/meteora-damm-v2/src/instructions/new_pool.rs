//! The initial state of a pool.

use super::parameters::{require, Fees};
use super::pool_accounts::Context;
use crate::error::{AMOUNT_IS_ZERO, INVALID_MINIMUM_LIQUIDITY, TYPE_CAST_FAILED};
use crate::events;
use crate::math::mul_div_wide;
use crate::state::pool::{self as layout, CollectFeeMode};
use crate::state::{put_u128, put_u64};
use crate::token::{with_fee, Token};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::{root, Rounding};
use sluice_program::{anchor, bytes, token, wide, Address, Result};

const EVENT: [u8; 8] = anchor::event("EvtInitializePool");
/// This much of a compounding pool's first liquidity belongs to no position.
const DEAD_LIQUIDITY: u128 = 100 << 64;
/// The origin of a pool: a configuration that any wallet may use, or the creator's own terms.
pub const PERMISSIONLESS: u8 = 0;
pub const CUSTOMIZABLE: u8 = 1;

/// The terms of a new pool.
pub struct Terms {
    pub fees: Fees,
    pub shares: [u8; 2],
    pub sqrt_prices: [u128; 2],
    pub sqrt_price: u128,
    pub liquidity: u128,
    pub activation_type: u8,
    pub activation_point: u64,
    pub collect_fee_mode: u8,
    pub kind: u8,
    /// Whether the payer must prove to have both tokens, even if the price is at an end of the range.
    pub proves_tokens: bool,
    pub whitelisted_vault: Address,
}

/// The reserves and prices of the first liquidity.
struct Start {
    amounts: [u64; 2],
    sqrt_price: u128,
    sqrt_prices: [u128; 2],
    /// The part of the liquidity that belongs to the creator.
    held: u128,
}

/// The fields of the event that are not terms. `fees` are as in the arguments.
struct EventFields<'a> {
    start: Start,
    fees: &'a [u8],
    sent: [u64; 2],
}

/// Writes pool and position, and takes the first liquidity in. `fees` are those of the event.
#[inline(never)]
pub fn make(context: &Context, terms: &Terms, fees: &[u8]) -> Result {
    let mode = CollectFeeMode::of(terms.collect_fee_mode, TYPE_CAST_FAILED)?;
    let start = if mode == CollectFeeMode::Compounding { compounding(terms)? } else { concentrated(terms)? };
    require(start.amounts != [0, 0], AMOUNT_IS_ZERO)?;
    write_pool(context, terms, &start)?;
    context.position.initialize(start.held)?;
    context.position.mint_token()?;
    context.position.emit(context.event_authority)?;
    let least = terms.proves_tokens as u64;
    let [a, b] = &context.tokens;
    let sent =
        [with_fee(a.mint, start.amounts[0])?.max(least), with_fee(b.mint, start.amounts[1])?.max(least)];
    a.take_in(context.users[0], context.position.payer, sent[0])?;
    b.take_in(context.users[1], context.position.payer, sent[1])?;
    emit(context, terms, &EventFields { start, fees, sent })
}

#[inline(never)]
fn concentrated(terms: &Terms) -> Result<Start> {
    let Terms { sqrt_price, sqrt_prices, liquidity, .. } = *terms;
    let [lowest, highest] = sqrt_prices;
    let a = Stretch { lower: sqrt_price, upper: highest, liquidity }.token_a(Rounding::Up)?;
    let b = Stretch { lower: lowest, upper: sqrt_price, liquidity }.token_b(Rounding::Up)?;
    Ok(Start { amounts: [a, b], sqrt_price, sqrt_prices, held: liquidity })
}

/// Computes reserves whose product is the square of the liquidity, and the price of these rounded reserves.
#[inline(never)]
fn compounding(terms: &Terms) -> Result<Start> {
    let liquidity = terms.liquidity;
    require(liquidity > DEAD_LIQUIDITY, INVALID_MINIMUM_LIQUIDITY)?;
    let a = mul_div_wide(&[liquidity, 1, terms.sqrt_price], Rounding::Up)?;
    let product = wide::U256::product(liquidity, terms.sqrt_price);
    let b = product.high.checked_add((product.low != 0) as u128).and_then(sluice_program::math::narrow);
    let b = b.ok_or(TYPE_CAST_FAILED)?;
    let sqrt_price = root::of_reserves(a, b)?;
    Ok(Start { amounts: [a, b], sqrt_price, sqrt_prices: [0, u128::MAX], held: liquidity - DEAD_LIQUIDITY })
}

#[inline(never)]
fn write_pool(context: &Context, terms: &Terms, start: &Start) -> Result {
    let data = &mut context.position.pool.data_mut()?;
    bytes::put(data, 0, &layout::TAG)?;
    bytes::put(data, 8, &terms.fees.base.bytes)?;
    bytes::put(data, 48, &[terms.shares[0]])?;
    bytes::put(data, 50, &[terms.shares[1]])?;
    bytes::put(data, 54, &terms.fees.compounding_bps.to_le_bytes())?;
    if let Some(dynamic) = &terms.fees.dynamic {
        bytes::put(data, 56, &[1])?;
        bytes::put(data, 64, &dynamic.max_accumulator.to_le_bytes())?;
        bytes::put(data, 68, &dynamic.control.to_le_bytes())?;
        bytes::put(data, 72, &dynamic.bin_step.to_le_bytes())?;
        for (at, period) in [74, 76, 78].into_iter().zip(dynamic.periods) {
            bytes::put(data, at, &period.to_le_bytes())?;
        }
        put_u128(data, 88, dynamic.bin_step_q64)?;
    }
    put_u128(data, 152, start.sqrt_price)?;
    for (side, token) in context.tokens.iter().enumerate() {
        let step = [0, 32][side];
        bytes::put(data, 168 + step, &token.mint.address().0)?;
        bytes::put(data, 232 + step, &token.vault.address().0)?;
        bytes::put(data, 482 + side, &[flag(token)])?;
        put_u64(data, layout::AMOUNTS[side], start.amounts[side])?;
    }
    bytes::put(data, 296, &terms.whitelisted_vault.0)?;
    put_u128(data, layout::LIQUIDITY, terms.liquidity)?;
    put_u128(data, 424, start.sqrt_prices[0])?;
    put_u128(data, 440, start.sqrt_prices[1])?;
    put_u128(data, layout::SQRT_PRICE, start.sqrt_price)?;
    put_u64(data, 472, terms.activation_point)?;
    bytes::put(data, 480, &[terms.activation_type])?;
    bytes::put(data, 484, &[terms.collect_fee_mode, terms.kind, 1])?;
    put_u64(data, layout::POSITIONS, 1)?;
    bytes::put(data, 648, &context.position.owner.address().0)?;
    bytes::put(data, layout::LAYOUT_VERSION, &[1])
}

/// Returns the flag of the token's program.
fn flag(token: &Token) -> u8 {
    !token.mint.is_owned_by(&token::PROGRAM) as u8
}

#[inline(never)]
fn emit(context: &Context, terms: &Terms, fields: &EventFields) -> Result {
    let EventFields { start, fees, sent } = fields;
    let position = &context.position;
    let [a, b] = &context.tokens;
    // For a pool with a configuration, the event contains the configuration's range, even if it does not apply.
    let range = if terms.kind == CUSTOMIZABLE { start.sqrt_prices } else { terms.sqrt_prices };
    events::emit(context.event_authority, &EVENT, |event| {
        for account in [position.pool, a.mint, b.mint, position.owner, position.payer] {
            event.address(account.address())?;
        }
        event.address(&terms.whitelisted_vault)?;
        event.bytes(fees)?;
        event.u128(range[0])?;
        event.u128(range[1])?;
        event.u8(terms.activation_type)?;
        event.u8(terms.collect_fee_mode)?;
        event.u128(terms.liquidity)?;
        event.u128(start.sqrt_price)?;
        event.u64(terms.activation_point)?;
        event.u8(flag(a))?;
        event.u8(flag(b))?;
        for amount in [start.amounts[0], start.amounts[1], sent[0], sent[1]] {
            event.u64(amount)?;
        }
        event.u8(terms.kind)
    })
}
