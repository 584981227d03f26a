//! The points from which on a pool does something: slots, or Unix seconds.

use crate::error::{INVALID_ACTIVATION_POINT, INVALID_ACTIVATION_TYPE, MATH_OVERFLOW};
use crate::state::pool::Pool;
use sluice_program::sysvar::Clock;
use sluice_program::{Address, Result};

const HOUR_IN_SLOTS: u64 = 9000;
const HOUR_IN_SECONDS: u64 = 3600;
/// A pool opens within so many hours of its creation.
const LATEST: u64 = 24 * 31;
const ENABLED: u8 = 0;

/// What a pool counts in: its present value, and how much of it an hour is.
pub struct Points {
    pub now: u64,
    pub hour: u64,
}

impl Points {
    /// InvalidActivationType for a kind other than 0, slots, and 1, seconds.
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

pub fn is_enabled(pool: &Pool) -> Result<bool> {
    Points::of(pool.activation_type)?;
    Ok(pool.status == ENABLED)
}

pub fn can_remove_liquidity(pool: &Pool) -> Result<bool> {
    Ok(Points::of(pool.activation_type)?.now >= pool.activation_point)
}

/// The vault that the pool names may swap an hour before everybody else.
pub fn can_swap(pool: &Pool, user: &Address) -> Result<bool> {
    let points = Points::of(pool.activation_type)?;
    let start = if *user == pool.whitelisted_vault {
        pool.activation_point.saturating_sub(points.hour)
    } else {
        pool.activation_point
    };
    Ok(pool.status == ENABLED && points.now >= start)
}

/// InvalidActivationPoint for a point in the past or more than 31 days away; with a vault, which needs time to
/// collect deposits and to buy, also for one that is too near or not given.
#[inline(never)]
pub fn check(point: Option<u64>, kind: u8, has_vault: bool) -> Result {
    let Points { now, hour } = Points::of(kind)?;
    let longest = sluice_program::math::checked_mul(hour, LATEST).ok_or(MATH_OVERFLOW)?;
    let Some(point) = point else {
        return if has_vault { Err(INVALID_ACTIVATION_POINT.into()) } else { Ok(()) };
    };
    if !has_vault {
        let last = now.checked_add(longest).ok_or(MATH_OVERFLOW)?;
        return accept(point >= now && last >= point);
    }
    accept(point > now && point - now >= hour && point - now <= longest)?;
    let five_minutes = hour / 12;
    // The vault buys in the last hour, takes deposits until five minutes before that, and needs five to do so.
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
