//! What a configuration promises: the price at which enough is raised, what is sold until then, and what migrates.

use crate::error::{
    convert, require, INSUFFICIENT_LIQUIDITY_FOR_MIGRATION, INVALID_COMPOUNDING_PARAMETERS, INVALID_CURVE,
    INVALID_LEFTOVER_ADDRESS, INVALID_TOKEN_SUPPLY, MATH_OVERFLOW, NOT_ENOUGH_LIQUIDITY, TYPE_CAST_FAILED,
};
use crate::keys::{BPS, MAX_SQRT_PRICE, MIN_SQRT_PRICE, PROTOCOL_MIGRATION_FEE_BPS};
use crate::state::config::{parts_in_use, Curve, PoolConfig, COMPOUNDING};
use crate::supply::{sold, sold_with_buffer, total, Until};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::price::PriceState;
use sluice_meteora::math::{mul_div, root, Rounding};
use sluice_program::math::narrow;
use sluice_program::wide::{self, U256};
use sluice_program::{Address, Result};

/// This much of a compounding pool's first liquidity belongs to no position.
pub const DEAD_LIQUIDITY: u128 = 100 << 64;

/// Computes the fields that follow from the arguments. `supply` is the fixed supply before and after the migration.
#[inline(never)]
pub fn complete(config: &mut PoolConfig, curve: &Curve, supply: Option<[u64; 2]>) -> Result {
    let price = migration_price(config, curve)?;
    require(price < MAX_SQRT_PRICE, INVALID_CURVE)?;
    config.migration_sqrt_price = price;
    let sold = sold(config, curve, Until::Migration)?.narrow().and_then(narrow).ok_or(TYPE_CAST_FAILED)?;
    config.swap_base_amount = sold;
    let quote = migration_quote_amount(config.migration_quote_threshold, config.migration_fee_percentage)?;
    let compounds = config.migrated_collect_fee_mode == COMPOUNDING;
    let base = if compounds { base_at_price(quote, price)? } else { base_over_range(quote, price)? };
    config.migration_base_threshold = base;
    require(base > 0 && sold > 0, INVALID_CURVE)?;
    if compounds {
        check_compounding(base, quote, price)?;
    }
    match supply {
        None => Ok(()),
        Some(supply) => fix_supply(config, curve, supply),
    }
}

/// Returns the price at which the curve has raised the amount. Fails with NotEnoughLiquidity if it never does.
#[inline(never)]
fn migration_price(config: &PoolConfig, curve: &Curve) -> Result<u128> {
    let (mut price, mut rest) = (config.sqrt_start_price, config.migration_quote_threshold);
    for part in parts_in_use(curve) {
        let stretch = Stretch { lower: price, upper: part.sqrt_price, liquidity: part.liquidity };
        let whole = stretch.all_of_token_b(Rounding::Up)?;
        match whole.narrow().and_then(narrow).and_then(|whole| rest.checked_sub(whole)) {
            Some(left) => {
                rest = left;
                price = part.sqrt_price;
            }
            None => {
                let state = PriceState { sqrt_price: price, liquidity: part.liquidity };
                return state.after_token_b(rest, true).map_err(convert);
            }
        }
    }
    require(rest == 0, NOT_ENOUGH_LIQUIDITY)?;
    Ok(price)
}

/// Returns the part of the raised amount that migrates. The rest is the migration fee.
#[inline(never)]
pub fn migration_quote_amount(threshold: u64, fee_percentage: u8) -> Result<u64> {
    let percentage = 100u64.checked_sub(fee_percentage as u64).ok_or(MATH_OVERFLOW)?;
    mul_div(threshold, percentage, 100, Rounding::Up).map_err(convert)
}

/// Returns the liquidity that the quote amount is worth below the price. Fails with TypeCastFailed if it exceeds u128.
#[inline(never)]
pub fn liquidity_of_quote(quote: u64, price: u128) -> Result<u128> {
    let difference = price.checked_sub(MIN_SQRT_PRICE).ok_or(MATH_OVERFLOW)?;
    let (liquidity, _) = U256 { high: quote as u128, low: 0 }.div_rem(difference).ok_or(MATH_OVERFLOW)?;
    liquidity.narrow().ok_or_else(|| TYPE_CAST_FAILED.into())
}

/// Returns the base amount that a pool over the whole range needs beside the quote amount.
#[inline(never)]
fn base_over_range(quote: u64, price: u128) -> Result<u64> {
    let liquidity = liquidity_of_quote(quote, price)?;
    Stretch { lower: price, upper: MAX_SQRT_PRICE, liquidity }.token_a(Rounding::Up)
}

/// Returns quote / price², rounded up: the base amount that a compounding pool needs beside the quote amount.
#[inline(never)]
fn base_at_price(quote: u64, price: u128) -> Result<u64> {
    let whole = divided_up(&U256 { high: quote as u128, low: 0 }, price)?;
    divided_up(&whole, price)?.narrow().and_then(narrow).ok_or_else(|| MATH_OVERFLOW.into())
}

#[inline(always)]
fn divided_up(dividend: &U256, divisor: u128) -> Result<U256> {
    let (quotient, rest) = dividend.div_rem(divisor).ok_or(MATH_OVERFLOW)?;
    quotient.checked_add(U256::from_u128((rest != 0) as u128)).ok_or_else(|| MATH_OVERFLOW.into())
}

/// Fails unless a compounding pool can start with the reserves that are left after the protocol's share, within one
/// percent of the curve's last price.
#[inline(never)]
fn check_compounding(base: u64, quote: u64, price: u128) -> Result {
    let [base, quote] = [without_protocol_fee(base)?, without_protocol_fee(quote)?];
    let (start, liquidity) = compounding_start(base, quote)?;
    require(start >= MIN_SQRT_PRICE && start <= MAX_SQRT_PRICE, INVALID_COMPOUNDING_PARAMETERS)?;
    require(liquidity > DEAD_LIQUIDITY, INSUFFICIENT_LIQUIDITY_FOR_MIGRATION)?;
    let apart = wide::checked_mul(price.abs_diff(start), 100).ok_or(MATH_OVERFLOW)?;
    require(apart <= price.max(start), INVALID_CURVE)
}

fn without_protocol_fee(amount: u64) -> Result<u64> {
    let fee = mul_div(amount, PROTOCOL_MIGRATION_FEE_BPS as u64, BPS, Rounding::Down).map_err(convert)?;
    amount.checked_sub(fee).ok_or_else(|| MATH_OVERFLOW.into())
}

/// Returns the root price and the liquidity of a compounding pool with these reserves. Fails with MathOverflow if the
/// price is out of bounds.
#[inline(never)]
pub fn compounding_start(base: u64, quote: u64) -> Result<(u128, u128)> {
    let (low, rest) = U256 { high: quote as u128, low: 0 }.div_rem(base as u128).ok_or(MATH_OVERFLOW)?;
    let high = low.checked_add(U256::from_u128((rest != 0) as u128)).ok_or(MATH_OVERFLOW)?;
    let price = root::square_root(&high);
    require(price >= MIN_SQRT_PRICE && price <= MAX_SQRT_PRICE, MATH_OVERFLOW)?;
    let liquidity = wide::checked_mul(root::square_root(&low), base as u128).ok_or(MATH_OVERFLOW)?;
    Ok((price, liquidity))
}

/// A fixed supply must suffice for the curve with its buffer before the migration, and without it after.
#[inline(never)]
fn fix_supply(config: &mut PoolConfig, curve: &Curve, [before, after]: [u64; 2]) -> Result {
    let with = total(sold_with_buffer(config, curve)?, config)?;
    let without = total(config.swap_base_amount, config)?;
    require(config.leftover_receiver != Address::ZERO, INVALID_LEFTOVER_ADDRESS)?;
    require(without <= after && after <= before && with <= before, INVALID_TOKEN_SUPPLY)?;
    config.fixed_token_supply_flag = 1;
    config.pre_migration_token_supply = before;
    config.post_migration_token_supply = after;
    Ok(())
}
