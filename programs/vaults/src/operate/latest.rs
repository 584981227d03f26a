//! Brings a position's amounts up to date and removes its debt from the tick or branch that held it.

use crate::error::TICK_IS_EMPTY;
use crate::math::factor::{self, EVERYTHING};
use crate::math::tick::{collateral_at, partial_ratio, ratio_at, NO_TICK};
use crate::math::{div, mul, narrow, sub, WHOLE};
use crate::operate::accounts::Accounts;
use crate::operate::RemainingAccounts;
use crate::state::branch::{Branch, CLOSED, MERGED};
use crate::state::past_tick::PastTick;
use crate::state::position::Holding;
use crate::state::tick::{Liquidation, Tick};
use crate::state::vault::Vault;
use sluice_program::Result;

/// If less than this part of a debt is left, the rest counts as zero.
const DUST_DIVISOR: u128 = 100;

/// Brings a position with debt up to date. Afterwards its debt excludes dust and is not counted in any tick or
/// branch.
#[inline(never)]
pub fn leave(
    holding: &mut Holding,
    vault: &mut Vault,
    accounts: &Accounts,
    remaining: &RemainingAccounts,
) -> Result {
    let tick = Tick::load(accounts.current_tick, "current_position_tick")?;
    if tick.is_liquidated || tick.total_ids > holding.tick_id {
        let liquidation = liquidation_of(holding, &tick, accounts)?;
        leave_branch(holding, vault, &liquidation, remaining)?;
    } else {
        leave_tick(holding, vault, tick, remaining)?;
    }
    holding.dust = 0;
    Ok(())
}

/// Returns the liquidation of the tick's debt of which the position's debt was a part.
fn liquidation_of(holding: &Holding, tick: &Tick, accounts: &Accounts) -> Result<Liquidation> {
    if tick.total_ids == holding.tick_id {
        return Ok(tick.liquidation);
    }
    PastTick::load(accounts.current_past, "current_position_tick_id")?.get(holding.tick, holding.tick_id)
}

/// Computes the amounts after the liquidations of the position, and removes its debt from the branch.
#[inline(never)]
fn leave_branch(
    holding: &mut Holding,
    vault: &mut Vault,
    of: &Liquidation,
    remaining: &RemainingAccounts,
) -> Result {
    let branch = after_liquidation(holding, of, remaining)?;
    match branch {
        Some(mut branch) if holding.debt > holding.dust => {
            // The branch keeps a little debt even after all positions have left it.
            let rest = remaining.borrow_scale.min_rest()?;
            let debt = branch.debt as u128;
            branch.debt = narrow(if holding.debt + rest > debt { rest } else { debt - holding.debt })?;
            branch.store()?;
            holding.debt = sub(holding.debt, holding.dust)?;
        }
        _ => {
            let dust = vault.absorbed_dust_debt as u128 + holding.dust;
            vault.absorbed_dust_debt = narrow(sub(dust, holding.debt)?)?;
            holding.debt = 0;
            holding.col = 0;
        }
    }
    Ok(())
}

/// Follows the branches downwards to the present one of the position, and returns it. Returns None if nothing is
/// left.
#[inline(never)]
pub fn after_liquidation<'a>(
    holding: &mut Holding,
    of: &Liquidation,
    remaining: &RemainingAccounts<'_, 'a>,
) -> Result<Option<Branch<'a>>> {
    let before = holding.debt;
    holding.debt = 0;
    holding.col = 0;
    holding.tick = NO_TICK;
    if of.full {
        return Ok(None);
    }
    let mut connection = of.debt_factor;
    let mut branch = remaining.branches.load(of.branch_id)?;
    while branch.status == MERGED {
        connection = factor::connect(connection, branch.debt_factor)?;
        if connection == EVERYTHING {
            break;
        }
        branch = remaining.branches.load(branch.connected_branch_id)?;
    }
    if branch.status == CLOSED || connection == EVERYTHING {
        return Ok(None);
    }
    let left = factor::apply(narrow(before)?, branch.debt_factor, connection)? as u128;
    if left > before / DUST_DIVISOR {
        // A ten-thousandth stays in the branch, so that the last position to leave finds enough debt in it.
        holding.debt = div(mul(left, WHOLE - 1)?, WHOLE)?;
    }
    if holding.debt > 0 {
        holding.tick = branch.minima_tick;
        let ratio = partial_ratio(ratio_at(branch.minima_tick)?, branch.minima_tick_partials)?;
        holding.col = collateral_at(holding.debt, ratio)?;
    }
    Ok(Some(branch))
}

/// Removes the position's debt from its tick. A remainder that is too small to stay is dropped too.
#[inline(never)]
fn leave_tick(
    holding: &mut Holding,
    vault: &mut Vault,
    mut tick: Tick,
    remaining: &RemainingAccounts,
) -> Result {
    if tick.raw_debt == 0 {
        return Err(TICK_IS_EMPTY.into());
    }
    let mut left = (tick.raw_debt as u128).saturating_sub(holding.debt);
    if left < remaining.borrow_scale.min_rest()? {
        left = 0;
        if holding.tick == vault.topmost_tick {
            vault.lower_top(&remaining.branches, &remaining.maps)?;
        }
        remaining.maps.set(holding.tick, false)?;
    }
    tick.raw_debt = narrow(left)?;
    tick.store()?;
    holding.debt = sub(holding.debt, holding.dust)?;
    Ok(())
}
