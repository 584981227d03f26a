//! The base tokens that a launch needs: those that the curve sells, those of the migrated liquidity, and those that
//! vest.

use crate::error::MATH_OVERFLOW;
use crate::keys::MAX_SQRT_PRICE;
use crate::state::config::{load_curve, parts_in_use, Curve, PoolConfig};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::Rounding;
use sluice_program::math::narrow;
use sluice_program::wide::{self, U256};
use sluice_program::{Account, Result};

/// The last swap may buy beyond the amount to raise, so the vault gets this many percent more than the curve sells
/// until then.
const BUFFER_PERCENT: u128 = 25;

/// The price until which a curve is sold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    Migration,
    End,
}

/// Returns what the curve sells. Each part is rounded up.
#[inline(always)]
pub fn sold(config: &PoolConfig, curve: &Curve, until: Until) -> Result<U256> {
    let price = if until == Until::End { MAX_SQRT_PRICE } else { config.migration_sqrt_price };
    let mut total = U256::from_u128(0);
    let mut lower = config.sqrt_start_price;
    for part in parts_in_use(curve) {
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

/// Returns what the curve sells until the migration, with the buffer, but at most the whole curve.
#[inline(never)]
pub fn sold_with_buffer(config: &PoolConfig, curve: &Curve) -> Result<u64> {
    let amount = config.swap_base_amount as u128;
    let more = wide::checked_mul(amount, BUFFER_PERCENT).and_then(|amount| wide::div_floor(amount, 100));
    let amount = more.and_then(|more| more.checked_add(amount)).ok_or(MATH_OVERFLOW)?;
    let amount = U256::from_u128(amount).min(sold(config, curve, Until::End)?);
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
    total(sold_with_buffer(config, &curve)?, config)
}
