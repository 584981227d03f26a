//! The way of a liquidation, from the top tick down: the debt of each tick on the way joins what is liquidated, until
//! the amount is used up or the liquidation threshold is reached.
//!
//! All debt on the way is at one ratio at a time. It goes down to the next tick with debt, to the lowest tick of the
//! branch below, with which the current branch then merges, or to the threshold.

use crate::error::{BRANCH_DEBT_TOO_LOW, LIQUIDATION_REVERTS};
use crate::liquidate::bounds::Bounds;
use crate::liquidate::Sets;
use crate::math::factor::{self, INITIAL, SHARE_ONE};
use crate::math::tick::{
    collateral_at, partial_ratio, partials_of, ratio_at, ratio_of, tick_at, ALL_PARTIALS,
};
use crate::math::{add, div, mul, mul_div, narrow, sub, RATE_ONE, RATIO_ONE};
use crate::state::branch::{Branch, LIQUIDATED};
use crate::state::tick::Liquidation;
use crate::state::vault::Vault;
use sluice_program::Result;

/// What a liquidation has taken so far, in raw amounts.
pub struct Taken {
    /// Debt still to pay back.
    pub remaining: u128,
    pub debt: u128,
    pub col: u128,
}

/// Where a liquidation stands, and the debt and collateral that it has with it.
struct Front<'a> {
    tick: i32,
    /// Whether the tick is one with debt of its own, not the lowest of a liquidated branch.
    whole: bool,
    ratio: u128,
    debt: u128,
    col: u128,
    branch: Branch<'a>,
    /// The branch's factor as it is now.
    factor: u64,
}

/// What a liquidation comes to next.
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

/// Debt to liquidate and collateral that goes for it.
#[derive(Clone, Copy)]
struct Part {
    debt: u128,
    col: u128,
}

/// Whether a liquidated branch is liquidated as far as it can be: one partial above the threshold.
#[inline(never)]
pub fn is_done(vault: &Vault, bounds: &Bounds, sets: &Sets) -> Result<bool> {
    if !vault.branch_liquidated || bounds.liquidation_tick + 1 != vault.topmost_tick {
        return Ok(false);
    }
    Ok(sets.branches.load(vault.current_branch_id)?.minima_tick_partials == 1)
}

/// Liquidates from the top tick down. The branch where it ends becomes the vault's current one.
#[inline(never)]
pub fn liquidate(taken: &mut Taken, vault: &mut Vault, bounds: &Bounds, sets: &Sets) -> Result {
    let mut front = Front::at_top(vault, sets)?;
    let mut next = None;
    loop {
        front.gather(sets)?;
        // Below a whole tick the next one with debt is looked for; else it is still the one found before.
        let next_tick = match next {
            Some(found) if !(front.whole && found == front.tick) => found,
            _ => sets.maps.next_to_liquidate(front.tick, bounds.liquidation_tick, front.whole)?,
        };
        next = Some(next_tick);
        let stop = front.next_stop(next_tick, bounds, sets)?;
        let part = front.part_until(&stop, bounds)?;
        if part.debt >= taken.remaining || matches!(stop.kind, StopKind::Threshold) {
            return front.end(
                taken,
                vault,
                &End { stop: &stop, part: &part, bounds, min_rest: sets.min_rest },
            );
        }
        taken.remaining = sub(taken.remaining, part.debt)?;
        front.take(&part, taken)?;
        front.go_to(stop)?;
    }
}

/// What the end of a liquidation depends on, beside where it is.
struct End<'e, 'a> {
    stop: &'e Stop<'a>,
    /// What must be liquidated to come there.
    part: &'e Part,
    bounds: &'e Bounds,
    /// The least debt that a branch keeps.
    min_rest: u128,
}

impl<'a> Front<'a> {
    #[inline(never)]
    fn at_top(vault: &Vault, sets: &Sets<'_, 'a>) -> Result<Self> {
        let branch = sets.branches.load(vault.current_branch_id)?;
        let tick = vault.topmost_tick;
        let whole = !vault.branch_liquidated;
        let exact = ratio_at(tick)?;
        let ratio = if whole { exact } else { partial_ratio(exact, branch.minima_tick_partials)? };
        let factor = if branch.debt_factor == 0 { INITIAL } else { branch.debt_factor };
        Ok(Self { tick, whole, ratio, debt: 0, col: 0, branch, factor })
    }

    /// Takes up the debt of the tick, or of the branch, and its collateral.
    #[inline(never)]
    fn gather(&mut self, sets: &Sets<'_, 'a>) -> Result {
        let debt = if self.whole {
            let mut tick = sets.ticks.load(self.tick)?;
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

    /// The highest of the next tick with debt, the lowest tick of the branch below, and the threshold.
    #[inline(never)]
    fn next_stop(&self, next: i32, bounds: &Bounds, sets: &Sets<'_, 'a>) -> Result<Stop<'a>> {
        let base = self.branch.connected_minima_tick;
        if base > next && base > bounds.liquidation_tick {
            let below = sets.branches.load(self.branch.connected_branch_id)?;
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

    /// What must be liquidated for the rest to be at the stop's ratio: x of
    /// (debt − x) / (col − x × col_per_debt) = ratio.
    #[inline(always)]
    fn part_until(&self, stop: &Stop, bounds: &Bounds) -> Result<Part> {
        let at_stop = div(mul(stop.ratio, self.debt)?, self.ratio)?;
        let excess = mul(sub(self.debt, at_stop)?, RATE_ONE)?;
        let gain = sub(RATE_ONE, mul_div(bounds.col_per_debt, stop.ratio, RATIO_ONE)?)?;
        let debt = div(excess, gain)?;
        let col = div(mul(debt, bounds.col_per_debt)?, RATE_ONE)?;
        // Never all of it.
        let debt = if debt == self.debt { sub(debt, 1)? } else { debt };
        Ok(Part { debt, col })
    }

    /// Moves a part from what is left to what is taken.
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

    /// Goes on from the stop; where that is the branch below, the current one ends in it.
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

    /// Ends before the stop, or at the threshold. VaultBranchDebtTooLow when it leaves next to nothing.
    #[inline(never)]
    fn end(&mut self, taken: &mut Taken, vault: &mut Vault, at: &End) -> Result {
        let ended = if at.part.debt >= taken.remaining {
            self.end_between(taken.remaining, at.stop, at.bounds)?
        } else {
            // One partial above the threshold, so that the tick is not a whole one.
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

    /// Where a liquidation of all that remains ends.
    #[inline(always)]
    fn end_between(&self, remaining: u128, stop: &Stop, bounds: &Bounds) -> Result<Ended> {
        let part = Part { debt: remaining, col: mul_div(remaining, bounds.col_per_debt, RATE_ONE)? };
        let ratio = ratio_of(sub(self.debt, part.debt)?, sub(self.col, part.col)?)?;
        let (below, ratio_below) = tick_at(ratio)?;
        if below < stop.tick && stop.partials == ALL_PARTIALS {
            // Roundings brought it under a stop that it does not reach: it ends right above.
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

/// Where a liquidation ended, and what it took last.
struct Ended {
    part: Part,
    tick: i32,
    partials: u32,
}
