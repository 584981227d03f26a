//! The two instructions that swap.

mod accounts;
mod emit;
mod guard;

pub use accounts::check_vault;

use crate::activation;
use crate::error::{
    require, AMOUNT_IS_ZERO, EXCEEDED_SLIPPAGE, INSUFFICIENT_LIQUIDITY_FOR_MIGRATION, MATH_OVERFLOW,
    POOL_IS_COMPLETED, TYPE_CAST_FAILED,
};
use crate::fees::Time;
use crate::quote::{Market, Swapped, Terms};
use crate::state::config::{self, PoolConfig};
use crate::state::pool::{VirtualPool, LOCKED_VESTING, POST_BONDING_CURVE};
use accounts::Context;
use emit::Swap;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{token, Account, Result};

const EXACT_IN: u8 = 0;
const PARTIAL_FILL: u8 = 1;
const EXACT_OUT: u8 = 2;

/// The input and the minimum output, or, for an exact output, the output and the maximum input.
pub struct Args {
    amount: u64,
    limit: u64,
    mode: u8,
}

/// Arguments: the input amount, the minimum output.
pub fn plain(accounts: &[Account], args: &[u8]) -> Result {
    let reader = &mut Reader::new(args);
    let (amount, limit) = decoded(reader.u64().zip(reader.u64()))?;
    run(accounts, &Args { amount, limit, mode: EXACT_IN })
}

/// Arguments: two amounts, and the mode that determines their meaning.
pub fn v2(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    run(accounts, &args)
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    Some(Args { amount: reader.u64()?, limit: reader.u64()?, mode: reader.u8()? })
}

#[inline(never)]
fn run(accounts: &[Account], args: &Args) -> Result {
    let context = Context::of(accounts)?;
    let mut market = Market {
        config: PoolConfig::load(context.config, "config")?,
        curve: config::load_curve(context.config)?,
        pool: VirtualPool::load(context.pool, "pool")?,
    };
    context.check(&market.pool)?;
    require(args.mode <= EXACT_OUT, TYPE_CAST_FAILED)?;
    require(args.amount > 0, AMOUNT_IS_ZERO)?;
    let terms = find_terms(&context, &market)?;
    require(!market.is_complete(), POOL_IS_COMPLETED)?;

    let now = Clock::get()?.unix_timestamp as u64;
    let sqrt_price = market.pool.sqrt_price;
    market.config.fees.dynamic.before_swap(&mut market.pool.volatility, sqrt_price, now)?;
    let terms = terms.with_fee_mode(market.config.collect_fee_mode)?;
    let swapped = compute(&market, &terms, args)?;
    market.apply(&terms, &swapped, now)?;

    // The public program borrows the pool during this, so that the pool cannot itself be a party.
    let held = context.pool.data_mut()?;
    settle(&context, &terms, &swapped)?;
    drop(held);
    let swap = Swap { context: &context, market: &market, args, terms, swapped, now };
    swap.emit()?;
    swap.emit_v2()?;
    if market.is_complete() {
        complete(&context, &mut market, now)?;
    }
    market.pool.save(context.pool)
}

/// Returns the terms except the token of the fees. Fails with FailToValidateSingleSwapInstruction if the rate limiter
/// is on and the transaction swaps in the pool more than once.
#[inline(never)]
fn find_terms(context: &Context, market: &Market) -> Result<Terms> {
    let Market { config, pool, .. } = market;
    let is_purchase = context.is_purchase()?;
    let point = activation::get_point(config.activation_type)?;
    let time = Time { point, activation: pool.activation_point, is_purchase };
    if let Ok(Some(limiter)) = config.fees.base.limiter() {
        if limiter.is_on(&time) {
            guard::check_single_swap(context.pool.address(), context.rest)?;
        }
    }
    let has_referral = context.referral.is_some();
    // A referral fee would come out of the protocol's share of a fee that is already the lowest one.
    let is_at_minimum_fee = config.enable_first_swap_with_min_fee == 1
        && pool.has_swap == 0
        && !has_referral
        && guard::is_created_before(context.pool.address(), context.rest);
    let (fees_on_input, fees_on_base) = (false, false);
    Ok(Terms { is_purchase, fees_on_input, fees_on_base, has_referral, is_at_minimum_fee, point })
}

/// Computes the amounts. Fails with ExceededSlippage if they are beyond the limit.
#[inline(never)]
fn compute(market: &Market, terms: &Terms, args: &Args) -> Result<Swapped> {
    if args.mode == EXACT_OUT {
        let swapped = market.from_output(terms, args.amount)?;
        require(swapped.input <= args.limit, EXCEEDED_SLIPPAGE)?;
        return Ok(swapped);
    }
    let swapped = market.from_input(terms, args.amount, args.mode == PARTIAL_FILL)?;
    require(swapped.output >= args.limit, EXCEEDED_SLIPPAGE)?;
    Ok(swapped)
}

#[inline(never)]
fn settle(context: &Context, terms: &Terms, swapped: &Swapped) -> Result {
    let side = terms.is_purchase as usize;
    context.token(side).take_in(context.input, context.payer, swapped.input)?;
    context.token(1 - side).pay_out(context.output, context.authority, swapped.output)?;
    match context.referral {
        None => Ok(()),
        Some(referral) => {
            let fees = context.token(!terms.fees_on_base as usize);
            fees.pay_out(referral, context.authority, swapped.split.referral)
        }
    }
}

/// Ends the sale. Fails with InsufficientLiquidityForMigration if the vault holds less of the base token than the
/// migration, the vesting and the claims of fees need.
#[inline(never)]
fn complete(context: &Context, market: &mut Market, now: u64) -> Result {
    let Market { config, pool, .. } = market;
    let mut needed = config.migration_base_threshold;
    let claims = [pool.partner_fees[0], pool.protocol_fees[0], pool.creator_fees[0]];
    for part in claims.into_iter().chain([config.locked_vesting.total()?]) {
        needed = needed.checked_add(part).ok_or(MATH_OVERFLOW)?;
    }
    require(token::amount_of(context.vaults[0])? >= needed, INSUFFICIENT_LIQUIDITY_FOR_MIGRATION)?;
    pool.finish_curve_timestamp = now;
    pool.migration_progress =
        if config.locked_vesting.is_set() { POST_BONDING_CURVE } else { LOCKED_VESTING };
    emit::emit_completion(context, pool.reserves)
}
