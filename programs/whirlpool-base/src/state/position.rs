//! The position account.

use super::{load, put_u128, REWARDS};
use crate::state::pool::Pool;
use crate::state::tick::Tick;
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::{anchor, wide, Account, Address, Result};

pub const TAG: [u8; 8] = anchor::account("Position");
pub const LEN: usize = 216;

const LIQUIDITY: usize = 72;
const FEES: usize = 96;
/// The length of a growth checkpoint and an owed amount.
const OWED_LEN: usize = 24;

/// The earnings of a position in one token.
#[derive(Clone, Copy)]
pub struct Owed {
    pub checkpoint: u128,
    pub amount: u64,
}

/// The fields of a position.
pub struct Position {
    pub pool: Address,
    pub mint: Address,
    pub liquidity: u128,
    pub lower: i32,
    pub upper: i32,
    pub fees: [Owed; 2],
    pub rewards: [Owed; REWARDS],
}

impl Position {
    /// Reads a position. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &TAG, LEN, name)?;
        Self::read(&mut Reader::new(&data[8..])).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [pool, mint] = [reader.address()?, reader.address()?];
        let liquidity = reader.u128()?;
        let [lower, upper] = [reader.u32()? as i32, reader.u32()? as i32];
        let mut owed = [Owed { checkpoint: 0, amount: 0 }; 2 + REWARDS];
        for each in &mut owed {
            *each = Owed { checkpoint: reader.u128()?, amount: reader.u64()? };
        }
        let [fee_a, fee_b, rewards @ ..] = owed;
        Some(Self { pool, mint, liquidity, lower, upper, fees: [fee_a, fee_b], rewards })
    }

    /// Writes a new position into zeroed data.
    pub fn encode(data: &mut [u8], pool: &Address, mint: &Address, range: [i32; 2]) -> Result {
        let mut writer = Writer::new(data);
        writer.array(&TAG)?;
        writer.address(pool)?;
        writer.address(mint)?;
        writer.u128(0)?;
        writer.u32(range[0] as u32)?;
        writer.u32(range[1] as u32)
    }

    /// Writes the liquidity and the owed amounts.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        let data = &mut account.data_mut()?[..];
        put_u128(data, LIQUIDITY, self.liquidity)?;
        let mut at = FEES;
        for owed in self.fees.iter().chain(&self.rewards) {
            put_u128(data, at, owed.checkpoint)?;
            bytes::put(data, at + 16, &owed.amount.to_le_bytes())?;
            at += OWED_LEN;
        }
        Ok(())
    }

    /// Returns whether the position has no liquidity and is owed nothing.
    pub fn is_empty(&self) -> bool {
        self.liquidity == 0 && self.fees.iter().chain(&self.rewards).all(|owed| owed.amount == 0)
    }

    /// Records the earnings so far, given the two ticks before the change.
    #[inline(never)]
    pub fn earn(&mut self, pool: &Pool, ticks: [&Tick; 2]) {
        let range = PositionRange { tick: pool.tick, lower: self.lower, upper: self.upper };
        for side in 0..2 {
            let outside = ticks.map(|tick| (tick.initialized, tick.fee_growth[side]));
            self.fees[side].earn(self.liquidity, range.growth_inside(pool.fee_growth[side], outside));
        }
        for (index, reward) in pool.rewards.iter().enumerate() {
            let outside = ticks.map(|tick| (tick.initialized, tick.reward_growth[index]));
            let inside = if reward.initialized { range.growth_inside(reward.growth, outside) } else { 0 };
            self.rewards[index].earn(self.liquidity, inside);
        }
    }
}

impl Owed {
    /// As in the public program, an amount that overflows counts as zero.
    fn earn(&mut self, liquidity: u128, growth: u128) {
        let earned = wide::checked_mul(liquidity, growth.wrapping_sub(self.checkpoint)).unwrap_or(0) >> 64;
        self.amount = self.amount.wrapping_add(earned as u64);
        self.checkpoint = growth;
    }
}

struct PositionRange {
    tick: i32,
    lower: i32,
    upper: i32,
}

impl PositionRange {
    /// Returns the part of all growth that is neither below the lower tick nor above the upper one.
    fn growth_inside(&self, global: u128, outside: [(bool, u128); 2]) -> u128 {
        let [(lower_used, lower), (upper_used, upper)] = outside;
        let below = match () {
            () if !lower_used => global,
            () if self.tick < self.lower => global.wrapping_sub(lower),
            () => lower,
        };
        let above = match () {
            () if !upper_used => 0,
            () if self.tick < self.upper => upper,
            () => global.wrapping_sub(upper),
        };
        global.wrapping_sub(below).wrapping_sub(above)
    }
}
