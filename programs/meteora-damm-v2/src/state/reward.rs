//! Rewards of pools that were created elsewhere. No instruction here sets one up or pays it, but they accrue.

use super::{put_u256, put_u64, read_u256};
use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::state::position;
use sluice_program::bytes::{self, Reader};
use sluice_program::math::narrow;
use sluice_program::sysvar::Clock;
use sluice_program::wide::{self, U256};
use sluice_program::{Account, ProgramError, Result};

pub const REWARDS: usize = 2;
const FIRST: usize = 728;
const LEN: usize = 192;
/// Offsets within a reward.
const DURATION_END: usize = 120;
const PER_LIQUIDITY: usize = 144;
const LAST_UPDATE: usize = 176;
const IDLE_SECONDS: usize = 184;

struct Reward {
    duration_end: u64,
    /// Atoms per second, in Q64.64.
    rate: u128,
    per_liquidity: U256,
    last_update: u64,
    idle_seconds: u64,
}

/// A pool and one of its positions whose rewards accrue.
pub struct Growing<'a> {
    pub pool: Account<'a>,
    pub position: Account<'a>,
    /// The liquidity of the pool and of the position.
    pub liquidity: u128,
    pub held: u128,
}

/// Updates the rewards to the present time, if the pool has any.
#[inline(never)]
pub fn update(growing: &Growing) -> Result {
    let (pool, position) = (&mut growing.pool.data_mut()?, &mut growing.position.data_mut()?);
    let now = Clock::get()?.unix_timestamp as u64;
    for index in 0..REWARDS {
        let at = FIRST + [0, LEN][index];
        if pool.get(at) == Some(&0) {
            continue;
        }
        let mut reward = Reward::decode(pool, at).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
        reward.grow(growing.liquidity, now)?;
        put_u256(pool, at + PER_LIQUIDITY, &reward.per_liquidity)?;
        put_u64(pool, at + LAST_UPDATE, reward.last_update)?;
        put_u64(pool, at + IDLE_SECONDS, reward.idle_seconds)?;
        position::earn_reward(position, index, growing.held, &reward.per_liquidity)?;
    }
    Ok(())
}

impl Reward {
    fn decode(pool: &[u8], at: usize) -> Option<Self> {
        let reader = &mut Reader::new(pool.get(at + DURATION_END..)?);
        Some(Self {
            duration_end: reader.u64()?,
            rate: reader.u128()?,
            per_liquidity: read_u256(reader)?,
            last_update: reader.u64()?,
            idle_seconds: bytes::u64_at(pool, at + IDLE_SECONDS)?,
        })
    }

    fn grow(&mut self, liquidity: u128, now: u64) -> Result {
        let until = now.min(self.duration_end);
        let seconds = until.checked_sub(self.last_update).ok_or(MATH_OVERFLOW)?;
        if liquidity > 0 {
            let earned = wide::checked_mul(seconds as u128, self.rate).ok_or(MATH_OVERFLOW)?;
            let (grown, _) = U256 { high: earned, low: 0 }.div_rem(liquidity).ok_or(MATH_OVERFLOW)?;
            self.per_liquidity = self.per_liquidity.checked_add(grown).ok_or(MATH_OVERFLOW)?;
        } else {
            self.idle_seconds = self.idle_seconds.checked_add(seconds).ok_or(MATH_OVERFLOW)?;
        }
        self.last_update = until;
        Ok(())
    }
}

/// Returns floor(liquidity × growth / 2^128), or floor(liquidity × growth / 2^192) if `by_192`: what liquidity earned
/// while the amount per liquidity grew. Fails with MathOverflow if the product exceeds its range, and with
/// TypeCastFailed if the result exceeds u64.
#[inline(always)]
pub fn earned(liquidity: u128, growth: &U256, by_192: bool) -> Result<u64> {
    let upper = U256::product(liquidity, growth.high);
    let lower = U256::product(liquidity, growth.low).high;
    let sum = upper.checked_add(U256::from_u128(lower)).ok_or(MATH_OVERFLOW)?;
    let value = if by_192 {
        let ((a, b), (c, _)) = (wide::split(sum.high), wide::split(sum.low));
        U256 { high: a as u128, low: wide::join(b, c) }
    } else {
        sum
    };
    let value = value.narrow().ok_or(MATH_OVERFLOW)?;
    narrow(value).ok_or_else(|| TYPE_CAST_FAILED.into())
}
