//! The points (slots or Unix seconds) from which on a pool allows something.

use crate::error::{INVALID_ACTIVATION_POINT, INVALID_ACTIVATION_TYPE, MATH_OVERFLOW};
use crate::state::pool::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::{Address, Result};

const HOUR_IN_SLOTS: u64 = 9000;
const HOUR_IN_SECONDS: u64 = 3600;
/// The maximum number of hours between a pool's creation and its opening.
const MAX_HOURS_AHEAD: u64 = 24 * 31;
const ENABLED: u8 = 0;

/// The unit in which a pool counts: its present value, and its number per hour.
pub struct Points {
    pub now: u64,
    pub hour: u64,
}

impl Points {
    /// Fails with InvalidActivationType if the kind is neither 0 (slots) nor 1 (seconds).
    #[inline(never)]
    pub fn of(kind: u8) -> Result<Self> {
        let clock = Clock::get()?;
        match kind {
            0 => Ok(Self { now: clock.slot, hour: HOUR_IN_SLOTS }),
            1 => Ok(Self { now: clock.unix_timestamp as u64, hour: HOUR_IN_SECONDS }),
            _ => Err(INVALID_ACTIVATION_TYPE.into()),
        }
    }
}

/// Returns whether the pool's status allows operations.
pub fn is_enabled(pool: &Pool) -> Result<bool> {
    Points::of(pool.activation_type)?;
    Ok(pool.status == ENABLED)
}

/// Returns whether liquidity may be removed.
pub fn can_remove_liquidity(pool: &Pool) -> Result<bool> {
    Ok(Points::of(pool.activation_type)?.now >= pool.activation_point)
}

/// Returns whether `user` may swap. The vault that the pool names may swap an hour before all others.
pub fn can_swap(pool: &Pool, user: &Address) -> Result<bool> {
    let points = Points::of(pool.activation_type)?;
    let start = if *user == pool.whitelisted_vault {
        pool.activation_point.saturating_sub(points.hour)
    } else {
        pool.activation_point
    };
    Ok(pool.status == ENABLED && points.now >= start)
}

/// Fails with InvalidActivationPoint if the point is in the past or more than 31 days away. With a vault, which needs
/// time to collect deposits and to buy, it also fails if the point is too near or missing.
#[inline(never)]
pub fn check(point: Option<u64>, kind: u8, has_vault: bool) -> Result {
    let Points { now, hour } = Points::of(kind)?;
    let max_ahead = sluice_program::math::checked_mul(hour, MAX_HOURS_AHEAD).ok_or(MATH_OVERFLOW)?;
    let Some(point) = point else {
        return if has_vault { Err(INVALID_ACTIVATION_POINT.into()) } else { Ok(()) };
    };
    if !has_vault {
        let last = now.checked_add(max_ahead).ok_or(MATH_OVERFLOW)?;
        return accept(point >= now && last >= point);
    }
    accept(point > now && point - now >= hour && point - now <= max_ahead)?;
    let five_minutes = hour / 12;
    // The vault buys in the last hour, accepts deposits until five minutes before that, and accepts them for at least
    // five minutes.
    let last_join = point.checked_sub(hour).and_then(|start| start.checked_sub(five_minutes));
    let deadline = last_join.and_then(|point| point.checked_sub(five_minutes)).ok_or(MATH_OVERFLOW)?;
    accept(deadline >= now)
}

fn accept(holds: bool) -> Result {
    if holds {
        Ok(())
    } else {
        Err(INVALID_ACTIVATION_POINT.into())
    }
}
