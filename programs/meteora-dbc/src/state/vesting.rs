//! What is released step by step after a migration: shares of the migrated liquidity, and base tokens.

use crate::error::{require, INVALID_VESTING_PARAMETERS, MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::keys::BPS;
use sluice_program::math::checked_mul;
use sluice_program::{layout, wide, Result};

/// The longest time until everything is released.
const MAX_DURATION: u64 = 2 * 365 * 86_400;

layout! {
    /// The vesting of a share of the migrated liquidity.
    #[derive(Clone, Copy)]
    pub struct LiquidityVesting {
        pub initialized: u8,
        pub percentage: u8,
        pub padding: [u8; 2],
        pub bps_per_period: u16,
        pub periods: u16,
        pub frequency: u32,
        /// Seconds from the migration to the first part.
        pub cliff_duration: u32,
    }
}

layout! {
    /// The vesting of base tokens, which the locker holds after the migration.
    #[derive(Clone, Copy)]
    pub struct LockedVesting {
        pub amount_per_period: u64,
        /// Seconds from the migration to the first part.
        pub cliff_duration: u64,
        pub frequency: u64,
        pub periods: u64,
        pub cliff_amount: u64,
        pub padding: u64,
    }
}

/// A schedule in the form of the arguments of DAMM v2.
pub struct VestingParameters {
    pub cliff_point: u64,
    pub frequency: u64,
    pub cliff_liquidity: u128,
    pub liquidity_per_period: u128,
    pub periods: u16,
}

impl LiquidityVesting {
    /// Returns the schedule of `total` liquidity from `now` on. What the periods do not release, the cliff does.
    #[inline(never)]
    pub fn parameters(&self, total: u128, now: u64) -> Result<VestingParameters> {
        let bps = self.bps_per_period.checked_mul(self.periods).ok_or(MATH_OVERFLOW)?;
        let by_periods = wide::mul_div_floor(total, bps as u128, BPS as u128).ok_or(TYPE_CAST_FAILED)?;
        let liquidity_per_period = wide::div_floor(by_periods, self.periods as u128).unwrap_or(0);
        let (periods, frequency, cliff_duration) = if liquidity_per_period == 0 {
            // DAMM v2 demands periods or a cliff in the future.
            (0, 0, self.cliff_duration.max(1))
        } else {
            (self.periods, self.frequency, self.cliff_duration)
        };
        let released = wide::checked_mul(liquidity_per_period, periods as u128);
        let cliff_liquidity =
            released.and_then(|released| total.checked_sub(released)).ok_or(MATH_OVERFLOW)?;
        let cliff_point = now.checked_add(cliff_duration as u64).ok_or(MATH_OVERFLOW)?;
        Ok(VestingParameters {
            cliff_point,
            frequency: frequency as u64,
            cliff_liquidity,
            liquidity_per_period,
            periods,
        })
    }

    /// Fails with InvalidVestingParameters unless DAMM v2 takes the schedule.
    #[inline(never)]
    pub fn check(&self, now: u64) -> Result {
        if self.initialized == 0 {
            return Ok(());
        }
        let total = self.share_of_all()?;
        let schedule = self.parameters(total, now)?;
        let until_cliff = schedule.cliff_point - now;
        require(until_cliff > 0 || schedule.periods > 0, INVALID_VESTING_PARAMETERS)?;
        require(schedule.periods == 0 || schedule.frequency > 0, INVALID_VESTING_PARAMETERS)?;
        let by_periods = checked_mul(schedule.frequency, schedule.periods as u64).ok_or(MATH_OVERFLOW)?;
        let duration = until_cliff.checked_add(by_periods).ok_or(MATH_OVERFLOW)?;
        require(duration <= MAX_DURATION && total > 0, INVALID_VESTING_PARAMETERS)
    }

    /// Returns the share of all liquidity that is still locked so many seconds after the migration, in 10,000ths.
    #[inline(never)]
    pub fn locked_bps_after(&self, seconds: u64) -> Result<u16> {
        if self.initialized == 0 {
            return Ok(0);
        }
        let total = self.share_of_all()?;
        let schedule = self.parameters(total, 0)?;
        let released = schedule.released(seconds)?;
        let locked = total.checked_sub(released).ok_or(MATH_OVERFLOW)?;
        let bps = wide::mul_div_floor(locked, BPS as u128, u128::MAX).ok_or(TYPE_CAST_FAILED)?;
        u16::try_from(bps).map_err(|_| TYPE_CAST_FAILED.into())
    }

    /// Returns the vested part of the largest possible liquidity, of which the shares are the most precise.
    fn share_of_all(&self) -> Result<u128> {
        wide::mul_div_floor(u128::MAX, self.percentage as u128, 100).ok_or_else(|| TYPE_CAST_FAILED.into())
    }
}

impl VestingParameters {
    fn released(&self, point: u64) -> Result<u128> {
        let Some(passed) = point.checked_sub(self.cliff_point) else {
            return Ok(0);
        };
        if self.frequency == 0 {
            return Ok(self.cliff_liquidity);
        }
        let periods = (passed / self.frequency).min(self.periods as u64);
        let by_periods = wide::checked_mul(self.liquidity_per_period, periods as u128);
        by_periods.and_then(|sum| sum.checked_add(self.cliff_liquidity)).ok_or_else(|| MATH_OVERFLOW.into())
    }
}

impl LockedVesting {
    /// Returns whether any field is set.
    pub fn is_set(&self) -> bool {
        [self.amount_per_period, self.cliff_duration, self.frequency, self.periods, self.cliff_amount]
            .iter()
            .any(|field| *field != 0)
    }

    /// Returns the sum of all parts. Fails with MathOverflow if it exceeds u64.
    #[inline(never)]
    pub fn total(&self) -> Result<u64> {
        let by_periods = checked_mul(self.amount_per_period, self.periods);
        by_periods.and_then(|sum| sum.checked_add(self.cliff_amount)).ok_or_else(|| MATH_OVERFLOW.into())
    }

    /// Fails with InvalidVestingParameters if there is a schedule that releases nothing or has no periods.
    pub fn check(&self) -> Result {
        if !self.is_set() {
            return Ok(());
        }
        let total = self.total()?;
        require(self.frequency != 0 && total != 0, INVALID_VESTING_PARAMETERS)
    }
}
