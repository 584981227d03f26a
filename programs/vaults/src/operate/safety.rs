//! The limits that a position must keep after an operation.

use crate::error::{
    POSITION_ABOVE_CF, POSITION_ABOVE_LIQUIDATION_THRESHOLD, WITHDRAW_MORE_THAN_OPERATE_LIMIT,
};
use crate::math::tick::tick_at;
use crate::math::{div, mul, mul_div, sub, PRICE_ONE, RATE_ONE, RATIO_ONE, THOUSAND};
use crate::operate::change::Change;
use crate::oracle::{raw_rate, Oracle};
use crate::prices;
use crate::state::config::Config;
use crate::state::liquidity::SupplyPosition;
use crate::state::vault::Prices;
use sluice_program::{Account, AnchorError, Result};

/// The minimum rate at which operations are possible.
const MIN_RATE: u128 = 1_000_000;

/// The maximum debt of a position, in 1,000ths of the value of its collateral.
pub struct Limit {
    share: u16,
    /// Whether the operation takes something out. Then the oracle's rate for operations applies, which is stricter;
    /// otherwise its rate for liquidations.
    takes: bool,
    error: AnchorError,
}

impl Limit {
    /// Returns the collateral factor for an operation that takes something out, otherwise the liquidation threshold.
    pub fn of(change: &Change, config: &Config) -> Self {
        if change.takes() {
            Self { share: config.terms.collateral_factor, takes: true, error: POSITION_ABOVE_CF }
        } else {
            let share = config.terms.liquidation_threshold;
            Self { share, takes: false, error: POSITION_ABOVE_LIQUIDATION_THRESHOLD }
        }
    }
}

/// Fails with the limit's error if a position with debt is at a tick above it.
#[inline(never)]
pub fn check_tick(tick: i32, limit: &Limit, prices: &Prices, oracle: &Oracle) -> Result {
    let rates = oracle.both()?;
    let rate = if limit.takes { rates.operate } else { rates.liquidate };
    let rate = raw_rate(rate, MIN_RATE, prices)?.floor;
    let limited = div(mul(rate, limit.share as u128)?, THOUSAND)?;
    let (highest, _) = tick_at(mul_div(limited, RATIO_ONE, RATE_ONE)?)?;
    if tick > highest {
        return Err(limit.error.into());
    }
    Ok(())
}

/// Fails with VaultWithdrawMoreThanOperateLimit if, after a withdrawal of `atoms`, the supply would exceed the
/// liquidity program's withdrawal limit by less than the vault's gap.
#[inline(never)]
pub fn check_gap(atoms: u128, gap: u16, supply_price: u64, position: Account) -> Result {
    if gap == 0 {
        return Ok(());
    }
    let position = SupplyPosition::load(position)?;
    let limit = position.limit_at(prices::now()?)?;
    if limit == 0 {
        return Ok(());
    }
    let raw = div(mul(atoms, PRICE_ONE)?, supply_price as u128)?;
    let available = div(mul(position.amount, sub(THOUSAND, gap as u128)?)?, THOUSAND)?;
    if available.saturating_sub(limit) < raw {
        return Err(WITHDRAW_MORE_THAN_OPERATE_LIMIT.into());
    }
    Ok(())
}
