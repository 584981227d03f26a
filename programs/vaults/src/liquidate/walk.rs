//! The course of a liquidation, from the top tick downwards. The debt of each tick that it reaches joins the
//! liquidated debt, until the amount is used up or the liquidation threshold is reached.
//!
//! At each moment all joined debt has the same ratio. The ratio falls to the next tick with debt, to the lowest tick
//! of the branch below (the current branch then merges with it), or to the threshold.

use crate::error::{BRANCH_DEBT_TOO_LOW, LIQUIDATION_REVERTS};
use crate::liquidate::bounds::Bounds;
use crate::liquidate::RemainingAccounts;
use crate::math::factor::{self, INITIAL, SHARE_ONE};
use crate::math::tick::{
    collateral_at, partial_ratio, partials_of, ratio_at, ratio_of, tick_at, ALL_PARTIALS,
};
use crate::math::{add, div, mul, mul_div, narrow, sub, RATE_ONE, RATIO_ONE};
use crate::state::branch::{Branch, LIQUIDATED};
use crate::state::tick::Liquidation;
use crate::state::vault::Vault;
use sluice_program::Result;

/// The raw amounts that a liquidation has taken so far.
pub struct Taken {
    /// The debt that is still to be repaid.
    pub remaining: u128,
    pub debt: u128,
    pub col: u128,
}

/// The present position of a liquidation, with the debt and collateral that have joined it.
struct Front<'a> {
    tick: i32,
    /// Whether the tick has debt of its own. Otherwise it is the lowest tick of a liquidated branch.
    whole: bool,
    ratio: u128,
    debt: u128,
    col: u128,
    branch: Branch<'a>,
    /// The branch's present debt factor.
    factor: u64,
}

/// The next place at which a liquidation stops.
struct Stop<'a> {
    tick: i32,
    ratio: u128,
    partials: u32,
    kind: StopKind<'a>,
}

#[allow(clippy::large_enum_variant, reason = "on chain, there is nothing to box it in")]
enum StopKind<'a> {
    /// A tick with debt.
    Tick,
    /// The lowest tick of the branch below.
    Branch(Branch<'a>),
    Threshold,
}

/// A part of the debt, and the collateral that pays for it.
#[derive(Clone, Copy)]
struct Part {
    debt: u128,
    col: u128,
}

/// Returns whether a liquidated branch cannot be liquidated further, because it is one partial above the threshold.
#[inline(never)]
pub fn is_done(vault: &Vault, bounds: &Bounds, remaining: &RemainingAccounts) -> Result<bool> {
    if !vault.branch_liquidated || bounds.liquidation_tick + 1 != vault.topmost_tick {
        return Ok(false);
    }
    Ok(remaining.branches.load(vault.current_branch_id)?.minima_tick_partials == 1)
}

/// Liquidates from the top tick downwards. The branch in which the liquidation ends becomes the vault's current one.
#[inline(never)]
pub fn liquidate(
    taken: &mut Taken,
    vault: &mut Vault,
    bounds: &Bounds,
    remaining: &RemainingAccounts,
) -> Result {
    let mut front = Front::at_top(vault, remaining)?;
    let mut next = None;
    loop {
        front.gather(remaining)?;
        // Below a whole tick, the next tick with debt is searched for. Otherwise it is still the one that was found
        // before.
        let next_tick = match next {
            Some(found) if !(front.whole && found == front.tick) => found,
            _ => remaining.maps.next_to_liquidate(front.tick, bounds.liquidation_tick, front.whole)?,
        };
        next = Some(next_tick);
        let stop = front.next_stop(next_tick, bounds, remaining)?;
        let part = front.part_until(&stop, bounds)?;
        if part.debt >= taken.remaining || matches!(stop.kind, StopKind::Threshold) {
            return front.end(
                taken,
                vault,
                &End { stop: &stop, part: &part, bounds, min_rest: remaining.min_rest },
            );
        }
        taken.remaining = sub(taken.remaining, part.debt)?;
        front.take(&part, taken)?;
        front.go_to(stop)?;
    }
}

/// The values on which the end of a liquidation depends, without its position.
struct End<'e, 'a> {
    stop: &'e Stop<'a>,
    /// The part to liquidate in order to reach the stop.
    part: &'e Part,
    bounds: &'e Bounds,
    /// The minimum of debt that a branch keeps.
    min_rest: u128,
}

impl<'a> Front<'a> {
    #[inline(never)]
    fn at_top(vault: &Vault, remaining: &RemainingAccounts<'_, 'a>) -> Result<Self> {
        let branch = remaining.branches.load(vault.current_branch_id)?;
        let tick = vault.topmost_tick;
        let whole = !vault.branch_liquidated;
        let exact = ratio_at(tick)?;
        let ratio = if whole { exact } else { partial_ratio(exact, branch.minima_tick_partials)? };
        let factor = if branch.debt_factor == 0 { INITIAL } else { branch.debt_factor };
        Ok(Self { tick, whole, ratio, debt: 0, col: 0, branch, factor })
    }

    /// Adds the debt and collateral of the tick or the branch.
    #[inline(never)]
    fn gather(&mut self, remaining: &RemainingAccounts<'_, 'a>) -> Result {
        let debt = if self.whole {
            let mut tick = remaining.ticks.load(self.tick)?;
            let debt = tick.raw_debt;
            tick.liquidate(Liquidation { full: false, branch_id: self.branch.id, debt_factor: self.factor })?;
            debt as u128
        } else {
            self.branch.debt as u128
        };
        self.debt = add(self.debt, debt)?;
        self.col = add(self.col, collateral_at(debt, self.ratio)?)?;
        Ok(())
    }

    /// Returns the highest of the next tick with debt, the lowest tick of the branch below, and the threshold.
    #[inline(never)]
    fn next_stop(
        &self,
        next: i32,
        bounds: &Bounds,
        remaining: &RemainingAccounts<'_, 'a>,
    ) -> Result<Stop<'a>> {
        let base = self.branch.connected_minima_tick;
        if base > next && base > bounds.liquidation_tick {
            let below = remaining.branches.load(self.branch.connected_branch_id)?;
            let partials = below.minima_tick_partials;
            let ratio = partial_ratio(ratio_at(base)?, partials)?;
            return Ok(Stop { tick: base, ratio, partials, kind: StopKind::Branch(below) });
        }
        let (tick, kind) = if next > bounds.liquidation_tick {
            (next, StopKind::Tick)
        } else {
            (bounds.liquidation_tick, StopKind::Threshold)
        };
        Ok(Stop { tick, ratio: ratio_at(tick)?, partials: ALL_PARTIALS, kind })
    }

    /// Computes the part after whose liquidation the rest has the stop's ratio: x in (debt − x) / (col − x ×
    /// col_per_debt) = ratio.
    #[inline(always)]
    fn part_until(&self, stop: &Stop, bounds: &Bounds) -> Result<Part> {
        let at_stop = div(mul(stop.ratio, self.debt)?, self.ratio)?;
        let excess = mul(sub(self.debt, at_stop)?, RATE_ONE)?;
        let gain = sub(RATE_ONE, mul_div(bounds.col_per_debt, stop.ratio, RATIO_ONE)?)?;
        let debt = div(excess, gain)?;
        let col = div(mul(debt, bounds.col_per_debt)?, RATE_ONE)?;
        // A part is never the whole debt.
        let debt = if debt == self.debt { sub(debt, 1)? } else { debt };
        Ok(Part { debt, col })
    }

    /// Moves a part from the joined amounts to the taken ones.
    #[inline(always)]
    fn take(&mut self, part: &Part, taken: &mut Taken) -> Result {
        let left = sub(self.debt, part.debt)?;
        let share = div(mul(SHARE_ONE, left)?, self.debt)?;
        self.factor = factor::reduce(self.factor, share)?;
        self.debt = left;
        self.col = sub(self.col, part.col)?;
        taken.debt = add(taken.debt, part.debt)?;
        taken.col = add(taken.col, part.col)?;
        Ok(())
    }

    /// Continues from the stop. If the stop is the branch below, the current branch merges with it.
    #[inline(never)]
    fn go_to(&mut self, stop: Stop<'a>) -> Result {
        self.tick = stop.tick;
        self.ratio = stop.ratio;
        self.whole = true;
        if let StopKind::Branch(below) = stop.kind {
            self.whole = false;
            self.branch.merge(factor::connection(below.debt_factor, self.factor)?);
            self.branch.store()?;
            self.factor = below.debt_factor;
            self.branch = below;
        }
        Ok(())
    }

    /// Ends before the stop, or at the threshold. Fails with VaultBranchDebtTooLow if less than the minimum debt is
    /// left.
    #[inline(never)]
    fn end(&mut self, taken: &mut Taken, vault: &mut Vault, at: &End) -> Result {
        let ended = if at.part.debt >= taken.remaining {
            self.end_between(taken.remaining, at.stop, at.bounds)?
        } else {
            // One partial above the threshold, so that the tick does not count as a whole one.
            Ended { part: *at.part, tick: at.stop.tick + 1, partials: 1 }
        };
        self.take(&ended.part, taken)?;
        if self.debt < at.min_rest {
            return Err(BRANCH_DEBT_TOO_LOW.into());
        }
        self.branch.status = LIQUIDATED;
        self.branch.minima_tick = ended.tick;
        self.branch.minima_tick_partials = ended.partials;
        self.branch.debt = narrow(self.debt)?;
        self.branch.debt_factor = self.factor;
        self.branch.store()?;
        vault.rest_on(ended.tick, self.branch.id);
        Ok(())
    }

    /// Computes where a liquidation of the whole remaining amount ends.
    #[inline(always)]
    fn end_between(&self, remaining: u128, stop: &Stop, bounds: &Bounds) -> Result<Ended> {
        let part = Part { debt: remaining, col: mul_div(remaining, bounds.col_per_debt, RATE_ONE)? };
        let ratio = ratio_of(sub(self.debt, part.debt)?, sub(self.col, part.col)?)?;
        let (below, ratio_below) = tick_at(ratio)?;
        if below < stop.tick && stop.partials == ALL_PARTIALS {
            // Rounding took it below a stop that it does not reach, so it ends right above that stop.
            return Ok(Ended { part, tick: below + 2, partials: 1 });
        }
        let tick = below + 1;
        let partials = partials_of(ratio_below, ratio)?;
        let at_branch = matches!(stop.kind, StopKind::Branch(_)) && tick == stop.tick;
        if at_branch && stop.partials >= partials && stop.partials > 0 {
            return Err(LIQUIDATION_REVERTS.into());
        }
        Ok(Ended { part, tick, partials })
    }
}

/// The tick at which a liquidation ended, and the last part that it took.
struct Ended {
    part: Part,
    tick: i32,
    partials: u32,
}
