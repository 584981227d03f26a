//! A tick in a tick array.

use super::{put_u128, u128_at, REWARDS};
use crate::error::LIQUIDITY_NET;
use crate::math::add_liquidity;
use crate::state::pool::Pool;
use sluice_program::Result;

/// The length of a tick, without the flag that tells whether it is initialized.
pub const LEN: usize = 112;

/// The fields of a tick.
#[derive(Clone, Copy)]
pub struct Tick {
    pub initialized: bool,
    pub net: i128,
    pub gross: u128,
    pub fee_growth: [u128; 2],
    pub reward_growth: [u128; REWARDS],
}

/// A change of liquidity at one end of a position.
pub struct Ending {
    pub index: i32,
    pub delta: i128,
    pub is_upper: bool,
}

impl Tick {
    pub const EMPTY: Self =
        Self { initialized: false, net: 0, gross: 0, fee_growth: [0; 2], reward_growth: [0; REWARDS] };

    /// Reads a tick at an offset.
    pub fn read(data: &[u8], at: usize) -> Result<Self> {
        Ok(Self {
            initialized: true,
            net: u128_at(data, at)? as i128,
            gross: u128_at(data, at + 16)?,
            fee_growth: [u128_at(data, at + 32)?, u128_at(data, at + 48)?],
            reward_growth: [u128_at(data, at + 64)?, u128_at(data, at + 80)?, u128_at(data, at + 96)?],
        })
    }

    /// Writes a tick at an offset.
    pub fn write(&self, data: &mut [u8], at: usize) -> Result {
        put_u128(data, at, self.net as u128)?;
        put_u128(data, at + 16, self.gross)?;
        let [fee_a, fee_b] = self.fee_growth;
        let [first, second, third] = self.reward_growth;
        let mut place = at + 32;
        for growth in [fee_a, fee_b, first, second, third] {
            put_u128(data, place, growth)?;
            place += 16;
        }
        Ok(())
    }

    /// Exchanges the growth on the two sides of the tick.
    pub fn cross(&mut self, pool: &Pool) {
        for (outside, global) in self.fee_growth.iter_mut().zip(pool.fee_growth) {
            *outside = global.wrapping_sub(*outside);
        }
        for (outside, reward) in self.reward_growth.iter_mut().zip(&pool.rewards) {
            if reward.initialized {
                *outside = reward.growth.wrapping_sub(*outside);
            }
        }
    }

    /// Returns the tick after a position that ends here grew or shrank. It is empty if the last position was closed.
    #[inline(never)]
    pub fn changed(&self, pool: &Pool, ending: &Ending) -> Result<Self> {
        if ending.delta == 0 {
            return Ok(*self);
        }
        let gross = add_liquidity(self.gross, ending.delta)?;
        if gross == 0 {
            return Ok(Self::EMPTY);
        }
        let net = if ending.is_upper {
            self.net.checked_sub(ending.delta)
        } else {
            self.net.checked_add(ending.delta)
        };
        let mut changed = Self { initialized: true, net: net.ok_or(LIQUIDITY_NET)?, gross, ..*self };
        // By convention, all growth before a tick is initialized happened below it.
        if self.gross == 0 {
            let below = pool.tick >= ending.index;
            changed.fee_growth = if below { pool.fee_growth } else { [0; 2] };
            for (outside, reward) in changed.reward_growth.iter_mut().zip(&pool.rewards) {
                *outside = if below { reward.growth } else { 0 };
            }
        }
        Ok(changed)
    }
}
