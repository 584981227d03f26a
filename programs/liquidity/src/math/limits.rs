//! Limits of withdrawals and of debt that expand over time.

use crate::error::LIBRARY_MATH;
use crate::math::{add, share_of, sub};
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::SupplyPosition;
use sluice_program::{math, Result};

/// Returns the amount that must stay supplied at second `now`. It falls from the last limit as time passes.
pub fn withdrawal_limit_before(position: &SupplyPosition, supplied: u64, now: u64) -> Result<u64> {
    let last = position.withdrawal_limit;
    if last == 0 {
        return Ok(0);
    }
    let most = share_of(supplied, position.expand_percent as u64)?;
    let elapsed = sub(now, position.last_update)?;
    let freed = expanded(most, elapsed, position.expand_duration as u64)?;
    Ok(last.saturating_sub(freed).max(sub(supplied, most)?))
}

/// Returns the limit to store after an operation that left `supplied`.
pub fn withdrawal_limit_after(position: &SupplyPosition, supplied: u64, limit: u64) -> Result<u64> {
    if supplied < position.base_withdrawal_limit {
        return Ok(0);
    }
    let least = sub(supplied, share_of(supplied, position.expand_percent as u64)?)?;
    Ok(limit.max(least))
}

/// Returns the maximum debt at second `now`. It rises from the last ceiling as time passes.
pub fn debt_ceiling_before(position: &BorrowPosition, borrowed: u64, now: u64) -> Result<u64> {
    let expansion = share_of(borrowed, position.expand_percent as u64)?;
    let most = add(borrowed, expansion)?;
    if most < position.base_debt_ceiling {
        return Ok(position.base_debt_ceiling);
    }
    let elapsed = sub(now, position.last_update)?;
    let grown = add(position.debt_ceiling, expanded(expansion, elapsed, position.expand_duration as u64)?)?;
    Ok(grown.min(most).min(position.max_debt_ceiling))
}

/// Returns the ceiling to store after an operation that left `borrowed`.
pub fn debt_ceiling_after(position: &BorrowPosition, borrowed: u64, ceiling: u64) -> Result<u64> {
    let most = add(borrowed, share_of(borrowed, position.expand_percent as u64)?)?;
    if most < position.base_debt_ceiling {
        return Ok(position.base_debt_ceiling);
    }
    let most = most.min(position.max_debt_ceiling);
    Ok(ceiling.min(most))
}

/// Returns the part of `full` that `elapsed` of `duration` seconds allow. The result may exceed `full`; the caller
/// caps it.
fn expanded(full: u64, elapsed: u64, duration: u64) -> Result<u64> {
    if duration == 0 {
        return Err(LIBRARY_MATH.into());
    }
    Ok(math::mul_div_floor(full, elapsed, duration).unwrap_or(u64::MAX))
}
