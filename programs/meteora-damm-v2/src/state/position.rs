//! The position account.

use super::vesting::Schedule;
use super::{load, put_u128, put_u256, put_u64, read_u256, reward};
use crate::error::{INSUFFICIENT_LIQUIDITY, MATH_OVERFLOW};
use crate::state::pool::Pool;
use sluice_program::bytes::{self, Reader};
use sluice_program::wide::U256;
use sluice_program::{anchor, Account, Address, ProgramError, Result};

pub const TAG: [u8; 8] = anchor::account("Position");
pub const LEN: usize = 408;

const POOL: usize = 8;
const MINT: usize = 40;
const CHECKPOINTS: [usize; 2] = [72, 104];
const PENDING: [usize; 2] = [136, 144];
const UNLOCKED: usize = 152;
const VESTED: usize = 168;
const PERMANENTLY_LOCKED: usize = 184;
const CLAIMED: [usize; 2] = [200, 208];
const REWARDS: [usize; 2] = [216, 264];
/// Offset within a reward: the pool's growth at the last update comes first, then the pending amount.
const REWARD_PENDING: usize = 32;
const SCHEDULE: usize = 312;

/// The fields of a position.
pub struct Position {
    pub pool: Address,
    pub mint: Address,
    pub checkpoints: [U256; 2],
    pub pending: [u64; 2],
    pub unlocked: u128,
    pub vested: u128,
    pub permanently_locked: u128,
    pub claimed: [u64; 2],
    pub rewards_pending: [u64; 2],
    /// The schedule that is stored in the position. Others have accounts of their own.
    pub vesting: Schedule,
}

impl Position {
    /// Reads a position. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &TAG, LEN, name)?;
        Self::decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    }

    fn decode(data: &[u8]) -> Option<Self> {
        let reader = &mut Reader::new(data.get(8..)?);
        let [pool, mint] = [reader.address()?, reader.address()?];
        let checkpoints = [read_u256(reader)?, read_u256(reader)?];
        let pending = [reader.u64()?, reader.u64()?];
        let [unlocked, vested, permanently_locked] = [reader.u128()?, reader.u128()?, reader.u128()?];
        let claimed = [reader.u64()?, reader.u64()?];
        reader.bytes(32)?;
        let first = reader.u64()?;
        reader.bytes(8 + 32)?;
        let rewards_pending = [first, reader.u64()?];
        reader.u64()?;
        let vesting = Schedule::read(reader)?;
        Some(Self {
            pool,
            mint,
            checkpoints,
            pending,
            unlocked,
            vested,
            permanently_locked,
            claimed,
            rewards_pending,
            vesting,
        })
    }

    /// Writes a new position into zeroed data.
    pub fn initialize(account: Account, pool: &Address, mint: &Address, liquidity: u128) -> Result {
        let data = &mut account.data_mut()?;
        bytes::put(data, 0, &TAG)?;
        bytes::put(data, POOL, &pool.0)?;
        bytes::put(data, MINT, &mint.0)?;
        put_u128(data, UNLOCKED, liquidity)
    }

    /// Writes the fields that instructions change.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        let data = &mut account.data_mut()?;
        for side in [0, 1] {
            put_u256(data, CHECKPOINTS[side], &self.checkpoints[side])?;
            put_u64(data, PENDING[side], self.pending[side])?;
            put_u64(data, CLAIMED[side], self.claimed[side])?;
        }
        put_u128(data, UNLOCKED, self.unlocked)?;
        put_u128(data, VESTED, self.vested)?;
        put_u128(data, PERMANENTLY_LOCKED, self.permanently_locked)?;
        self.vesting.write(data, SCHEDULE)
    }

    /// Returns the whole liquidity: unlocked, vested and locked. Fails with MathOverflow if it exceeds u128.
    pub fn liquidity(&self) -> Result<u128> {
        let sum =
            self.unlocked.checked_add(self.vested).and_then(|sum| sum.checked_add(self.permanently_locked));
        sum.ok_or_else(|| MATH_OVERFLOW.into())
    }

    /// Records the fees that the liquidity earned since the last time.
    #[inline(never)]
    pub fn earn(&mut self, pool: &Pool) -> Result {
        let liquidity = self.liquidity()?;
        for side in [0, 1] {
            let now = &pool.fee_per_liquidity[side];
            if liquidity > 0 {
                let growth = now.checked_sub(self.checkpoints[side]).ok_or(MATH_OVERFLOW)?;
                let fee = reward::earned(liquidity, &growth, false)?;
                self.pending[side] = self.pending[side].checked_add(fee).ok_or(MATH_OVERFLOW)?;
            }
            self.checkpoints[side] = *now;
        }
        Ok(())
    }

    /// Unlocks what is due by the schedule in the position, and removes the schedule once it is done.
    #[inline(never)]
    pub fn unlock(&mut self, now: u64) -> Result {
        if self.vesting == Schedule::NONE {
            return Ok(());
        }
        let released = self.vesting.release(now)?;
        self.move_to_unlocked(released)?;
        if self.vesting.is_done()? {
            self.vesting = Schedule::NONE;
        }
        Ok(())
    }

    /// Turns vested liquidity into unlocked liquidity.
    pub fn move_to_unlocked(&mut self, liquidity: u128) -> Result {
        self.vested = self.vested.checked_sub(liquidity).ok_or(MATH_OVERFLOW)?;
        self.unlocked = self.unlocked.checked_add(liquidity).ok_or(MATH_OVERFLOW)?;
        Ok(())
    }

    /// Turns unlocked liquidity into vested liquidity. Fails with InsufficientLiquidity if there is less.
    pub fn lock(&mut self, liquidity: u128) -> Result {
        self.unlocked = self.unlocked.checked_sub(liquidity).ok_or(INSUFFICIENT_LIQUIDITY)?;
        self.vested = self.vested.checked_add(liquidity).ok_or(MATH_OVERFLOW)?;
        Ok(())
    }

    /// Locks unlocked liquidity for ever. Fails with InsufficientLiquidity if there is less.
    pub fn lock_permanently(&mut self, liquidity: u128) -> Result {
        self.unlocked = self.unlocked.checked_sub(liquidity).ok_or(INSUFFICIENT_LIQUIDITY)?;
        self.permanently_locked = self.permanently_locked.checked_add(liquidity).ok_or(MATH_OVERFLOW)?;
        Ok(())
    }

    /// Returns whether the position has no liquidity and no pending fees and rewards.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.rewards_pending == [0, 0] && self.liquidity()? == 0 && self.pending == [0, 0])
    }
}

/// Records a reward of a position with this liquidity, given the pool's accumulated reward per liquidity.
#[inline(always)]
pub fn earn_reward(position: &mut [u8], index: usize, liquidity: u128, per_liquidity: &U256) -> Result {
    let at = REWARDS[index];
    let reader = &mut Reader::new(position.get(at..).unwrap_or(&[]));
    let before = read_u256(reader).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
    let pending = reader.u64().ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
    let growth = per_liquidity.checked_sub(before).ok_or(MATH_OVERFLOW)?;
    let sum = reward::earned(liquidity, &growth, true)?.checked_add(pending).ok_or(MATH_OVERFLOW)?;
    put_u64(position, at + REWARD_PENDING, sum)?;
    put_u256(position, at, per_liquidity)
}
