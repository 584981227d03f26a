//! Adds a position's debt to the tick of its ratio.

use crate::error::{INVALID_PAYBACK_OR_DEPOSIT, TICK_DEBT_TOO_LOW, TICK_MISMATCH, USER_DEBT_TOO_LOW};
use crate::math::tick::{ratio_of, tick_at, STEP};
use crate::math::{add, div, mul, narrow, sub, BILLION, WHOLE};
use crate::operate::accounts::Accounts;
use crate::operate::change::Change;
use crate::operate::RemainingAccounts;
use crate::state::past_tick::PastTick;
use crate::state::position::Holding;
use crate::state::tick::{Liquidation, Tick};
use crate::state::vault::Vault;
use sluice_program::Result;

/// The amounts of a position before an operation: raw collateral, and debt without dust.
#[derive(Clone, Copy)]
pub struct Before {
    pub col: u128,
    pub debt: u128,
}

/// The vault's side of a position's move: its accounts and state.
pub struct VaultSide<'o, 's, 'a> {
    pub accounts: &'o Accounts<'a>,
    pub remaining: &'o RemainingAccounts<'s, 'a>,
    pub vault: &'o mut Vault,
}

/// Moves a position with its debt (without dust) to its new tick, which is above its ratio. Afterwards the debt
/// includes dust.
#[inline(never)]
pub fn move_to_tick(holding: &mut Holding, side: VaultSide, before: &Before, change: &Change) -> Result {
    add_to_tick(holding, side.accounts, side.remaining)?;
    check_improves(holding, before, change)?;
    if holding.tick >= side.vault.topmost_tick {
        side.vault.raise_top(holding.tick, side.accounts.new_branch)?;
    }
    Ok(())
}

/// Fails with VaultInvalidPaybackOrDeposit if a repayment does not lower the debt, or a deposit raises the ratio.
#[inline(always)]
fn check_improves(holding: &Holding, before: &Before, change: &Change) -> Result {
    let net = sub(holding.debt, holding.dust)?;
    if change.debt < 0 && net > before.debt {
        return Err(INVALID_PAYBACK_OR_DEPOSIT.into());
    }
    if change.col > 0 && change.debt == 0 && ratio_of(net, holding.col)? > ratio_of(before.debt, before.col)?
    {
        return Err(INVALID_PAYBACK_OR_DEPOSIT.into());
    }
    Ok(())
}

#[inline(never)]
fn add_to_tick(holding: &mut Holding, accounts: &Accounts, remaining: &RemainingAccounts) -> Result {
    // Each operation adds a part in 10^9, so that rounding never favours the position.
    let net = add(div(mul(holding.debt, BILLION + 1)?, BILLION)?, 1)?;
    let least = remaining.borrow_scale.min_debt()?;
    if net < least {
        return Err(USER_DEBT_TOO_LOW.into());
    }
    let (below, ratio_below) = tick_at(ratio_of(net, holding.col)?)?;
    let ratio = div(mul(ratio_below, STEP)?, WHOLE)?;
    holding.tick = below + 1;
    holding.debt = mul(ratio, holding.col)? >> 48;
    holding.dust = sub(holding.debt, net)?;

    let mut tick = Tick::load(accounts.final_tick, "final_position_tick")?;
    if tick.tick != holding.tick {
        sluice_program::log::Line::new().text("the position's tick is not the one given").emit();
        return Err(TICK_MISMATCH.into());
    }
    let debt = if tick.total_ids > 0 && !tick.is_liquidated {
        if tick.raw_debt == 0 {
            remaining.maps.set(tick.tick, true)?;
        }
        add(tick.raw_debt as u128, holding.debt)?
    } else {
        begin_debt(&mut tick, accounts, remaining)?;
        holding.debt
    };
    holding.tick_id = tick.total_ids;
    if debt < least {
        return Err(TICK_DEBT_TOO_LOW.into());
    }
    tick.is_liquidated = false;
    tick.liquidation = Liquidation::default();
    tick.raw_debt = narrow(debt)?;
    tick.store()
}

/// Gives a new id to a tick without debt, or with debt that was liquidated. The liquidation of the previous debt is
/// kept.
#[inline(never)]
fn begin_debt(tick: &mut Tick, accounts: &Accounts, remaining: &RemainingAccounts) -> Result {
    if tick.total_ids > 0 {
        let past = PastTick::load(accounts.final_past, "final_position_tick_id")?;
        past.set(tick.tick, tick.total_ids, &tick.liquidation)?;
    }
    remaining.maps.set(tick.tick, true)?;
    tick.total_ids = tick.total_ids.checked_add(1).ok_or(TICK_MISMATCH)?;
    Ok(())
}
