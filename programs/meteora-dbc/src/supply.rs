//! The base tokens that a launch needs: those that the curve sells, those of the migrated liquidity, and those that
//! vest.

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::keys::MAX_SQRT_PRICE;
use crate::state::config::{load_curve, parts_in_use, Point, PoolConfig};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::Rounding;
use sluice_program::math::narrow;
use sluice_program::wide::{self, U256};
use sluice_program::{Account, Result};

/// The last swap may buy beyond the amount to raise, so the vault gets this many percent more than the curve sells
/// until then.
const BUFFER_PERCENT: u128 = 25;

/// Returns what the curve sells between two root prices. Each part is rounded up.
#[inline(never)]
pub fn sold_until(price: u128, start: u128, curve: &[Point]) -> Result<U256> {
    let mut total = U256::from_u128(0);
    let mut lower = start;
    for part in curve {
        let upper = part.sqrt_price.min(price);
        let stretch = Stretch { lower, upper, liquidity: part.liquidity };
        total = total.checked_add(stretch.all_of_token_a(Rounding::Up)?).ok_or(MATH_OVERFLOW)?;
        if part.sqrt_price > price {
            break;
        }
        lower = part.sqrt_price;
    }
    Ok(total)
}

/// Returns `sold` as u64. Fails with TypeCastFailed if it exceeds that.
pub fn fitting(sold: U256) -> Result<u64> {
    sold.narrow().and_then(narrow).ok_or_else(|| TYPE_CAST_FAILED.into())
}

/// Returns the amount with the buffer, but at most what the whole curve sells.
#[inline(never)]
pub fn with_buffer(sold: u64, start: u128, curve: &[Point]) -> Result<u64> {
    let more =
        wide::checked_mul(sold as u128, BUFFER_PERCENT).and_then(|amount| wide::div_floor(amount, 100));
    let amount = more.and_then(|more| more.checked_add(sold as u128)).ok_or(MATH_OVERFLOW)?;
    let all = sold_until(MAX_SQRT_PRICE, start, curve)?;
    let amount = U256::from_u128(amount).min(all);
    amount.narrow().and_then(narrow).ok_or_else(|| MATH_OVERFLOW.into())
}

/// Returns the sum of what is sold, what migrates and what vests. Fails with MathOverflow if it exceeds u64.
#[inline(never)]
pub fn total(sold: u64, config: &PoolConfig) -> Result<u64> {
    let circulating = sold.checked_add(config.migration_base_threshold).ok_or(MATH_OVERFLOW)?;
    circulating.checked_add(config.locked_vesting.total()?).ok_or_else(|| MATH_OVERFLOW.into())
}

/// Returns the supply that a new pool mints.
#[inline(never)]
pub fn initial(config: &PoolConfig, account: Account) -> Result<u64> {
    if config.has_fixed_supply() {
        return Ok(config.pre_migration_token_supply);
    }
    let curve = load_curve(account)?;
    let sold = with_buffer(config.swap_base_amount, config.sqrt_start_price, parts_in_use(&curve))?;
    total(sold, config)
}
