//! Absorbs debt above the liquidation limit together with its collateral. A liquidation of such debt would leave its
//! owners nothing. Liquidators may take the absorbed amounts later.

use crate::error::{NEW_BRANCH_INVALID, TICK_HAS_DEBT_OUT_OF_RANGE};
use crate::liquidate::RemainingAccounts;
use crate::math::tick::{collateral_at, partial_ratio, ratio_at, NO_TICK};
use crate::math::{add, div, mul, sub};
use crate::state::branch::{Branch, CLOSED};
use crate::state::tick::Liquidation;
use crate::state::vault::Vault;
use sluice_program::{Account, Result};

/// The absorbed raw amounts.
#[derive(Default)]
pub struct Absorbed {
    pub debt: u128,
    pub col: u128,
}

impl Absorbed {
    fn add(&mut self, debt: u64, ratio: u128) -> Result {
        self.debt = add(self.debt, debt as u128)?;
        self.col = add(self.col, collateral_at(debt as u128, ratio)?)?;
        Ok(())
    }
}

/// Absorbs all ticks and branches above `max_tick`, and finds the vault's new top tick.
#[inline(never)]
pub fn absorb(
    vault: &mut Vault,
    max_tick: i32,
    remaining: &RemainingAccounts,
    new_branch: Account,
) -> Result<Absorbed> {
    let mut absorbed = Absorbed::default();
    let next = absorb_ticks(&mut absorbed, vault.topmost_tick, max_tick, remaining)?;
    let current = remaining.branches.load(vault.current_branch_id)?;
    // A branch without liquidations can continue above the remaining debt.
    let (fresh, first) = if vault.branch_liquidated {
        (None, Some((current.minima_tick, current)))
    } else {
        (Some(current.id), below(&current, remaining)?)
    };
    let left = absorb_branches(&mut absorbed, first, max_tick, remaining)?;
    let minima = left.as_ref().map_or(NO_TICK, |(minima, _)| *minima);
    if next >= minima {
        vault.topmost_tick = next;
        begin_above(vault, left, fresh, &TopBranchAccounts { remaining, new_branch })?;
    } else if let Some((minima, branch)) = left {
        vault.rest_on(minima, branch.id);
        if let Some(id) = fresh {
            vault.total_branch_id = id.checked_sub(1).ok_or(NEW_BRANCH_INVALID)?;
            let mut branch = remaining.branches.load(id)?;
            branch.reset();
            branch.store()?;
        }
    }
    vault.absorbed_debt = add(vault.absorbed_debt, absorbed.debt)?;
    vault.absorbed_col = add(vault.absorbed_col, absorbed.col)?;
    Ok(absorbed)
}

/// Returns the next tick with debt that is not absorbed.
#[inline(never)]
fn absorb_ticks(
    absorbed: &mut Absorbed,
    top: i32,
    max_tick: i32,
    remaining: &RemainingAccounts,
) -> Result<i32> {
    let above = top.checked_add(1).ok_or(TICK_HAS_DEBT_OUT_OF_RANGE)?;
    let mut next = remaining.maps.highest_from(above)?;
    while next > max_tick {
        let mut tick = remaining.ticks.load(next)?;
        absorbed.add(tick.raw_debt, ratio_at(next)?)?;
        tick.liquidate(Liquidation { full: true, branch_id: 0, debt_factor: 0 })?;
        next = remaining.maps.absorb(next)?;
    }
    Ok(next)
}

/// A branch with its lowest tick.
type Lowest<'a> = Option<(i32, Branch<'a>)>;

/// Returns the branch below another one.
fn below<'a>(branch: &Branch, remaining: &RemainingAccounts<'_, 'a>) -> Result<Lowest<'a>> {
    if branch.connected_minima_tick == NO_TICK {
        return Ok(None);
    }
    Ok(Some((branch.connected_minima_tick, remaining.branches.load(branch.connected_branch_id)?)))
}

/// Closes branches from the first one downwards. Returns the one that remains.
#[inline(never)]
fn absorb_branches<'a>(
    absorbed: &mut Absorbed,
    first: Lowest<'a>,
    max_tick: i32,
    remaining: &RemainingAccounts<'_, 'a>,
) -> Result<Lowest<'a>> {
    let mut at = first;
    while let Some((minima, mut branch)) = at {
        if minima <= max_tick {
            return Ok(at);
        }
        absorbed.add(branch.debt, partial_ratio(ratio_at(minima)?, branch.minima_tick_partials)?)?;
        branch.status = CLOSED;
        branch.store()?;
        at = below(&branch, remaining)?;
    }
    Ok(None)
}

/// The accounts and state that are searched for a branch that carries the new top tick.
struct TopBranchAccounts<'p, 's, 'a> {
    remaining: &'p RemainingAccounts<'s, 'a>,
    new_branch: Account<'a>,
}

/// Makes a branch without liquidations the current one: the fresh one if there is one, otherwise the next. Fails with
/// VaultNewBranchInvalid if another account was given for it.
#[inline(never)]
fn begin_above(
    vault: &mut Vault,
    left: Lowest,
    fresh: Option<u32>,
    top_accounts: &TopBranchAccounts,
) -> Result {
    let id = match fresh {
        Some(id) => {
            vault.branch_liquidated = false;
            id
        }
        None => {
            vault.begin_branch()?;
            vault.total_branch_id
        }
    };
    let mut branch = if left.is_some() || fresh.is_none() {
        Branch::load(top_accounts.new_branch, "new_branch")?
    } else {
        top_accounts.remaining.branches.load(id)?
    };
    if branch.id != id {
        return Err(NEW_BRANCH_INVALID.into());
    }
    branch.reset();
    if let Some((minima, below)) = left {
        branch.connected_branch_id = below.id;
        branch.connected_minima_tick = minima;
    }
    branch.store()
}

/// Takes previously absorbed amounts for a liquidator: all of them, or as much as `debt` pays for.
#[inline(never)]
pub fn take(vault: &mut Vault, debt: u128) -> Result<Absorbed> {
    let before = Absorbed { debt: vault.absorbed_debt, col: vault.absorbed_col };
    let taken = if before.debt > debt {
        let col = div(mul(before.col, debt)?, before.debt)?;
        Absorbed { debt, col }
    } else {
        before
    };
    vault.absorbed_debt = sub(vault.absorbed_debt, taken.debt)?;
    vault.absorbed_col = sub(vault.absorbed_col, taken.col)?;
    Ok(taken)
}
