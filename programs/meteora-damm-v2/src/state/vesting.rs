//! Liquidity that unlocks step by step: a schedule within a position, or in an account of its own.

use super::{load, put_u128, put_u64};
use crate::error::MATH_OVERFLOW;
use sluice_program::bytes::{self, Reader};
use sluice_program::wide::checked_mul;
use sluice_program::{anchor, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("Vesting");
pub const LEN: usize = 184;
const POSITION: usize = 8;
const SCHEDULE: usize = 40;

/// At the cliff a first part unlocks, and after it the same part with every period.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The slot or second of the cliff.
    pub cliff_point: u64,
    /// The slots or seconds of a period.
    pub frequency: u64,
    pub cliff_liquidity: u128,
    pub per_period: u128,
    /// The part that is already unlocked.
    pub released: u128,
    pub periods: u16,
}

impl Schedule {
    /// The schedule of a position that has none.
    pub const NONE: Self =
        Self { cliff_point: 0, frequency: 0, cliff_liquidity: 0, per_period: 0, released: 0, periods: 0 };

    /// Returns None if the bytes are cut short.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        let [cliff_point, frequency] = [reader.u64()?, reader.u64()?];
        let [cliff_liquidity, per_period, released] = [reader.u128()?, reader.u128()?, reader.u128()?];
        let periods = reader.u16()?;
        Some(Self { cliff_point, frequency, cliff_liquidity, per_period, released, periods })
    }

    /// Writes the schedule into an account's data.
    pub fn write(&self, data: &mut [u8], at: usize) -> Result {
        put_u64(data, at, self.cliff_point)?;
        put_u64(data, at + 8, self.frequency)?;
        put_u128(data, at + 16, self.cliff_liquidity)?;
        put_u128(data, at + 32, self.per_period)?;
        put_u128(data, at + 48, self.released)?;
        bytes::put(data, at + 64, &self.periods.to_le_bytes())
    }

    /// Returns the whole liquidity. Fails with MathOverflow if it exceeds u128.
    pub fn total(&self) -> Result<u128> {
        self.unlocked_after(self.periods as u64)
    }

    /// Returns whether everything is unlocked.
    pub fn is_done(&self) -> Result<bool> {
        Ok(self.released == self.total()?)
    }

    /// Unlocks what is due at a point, and returns what was not unlocked before. Fails with MathOverflow if less is
    /// due than was unlocked, because the clock went backwards.
    #[inline(never)]
    pub fn release(&mut self, now: u64) -> Result<u128> {
        let due = self.unlocked_at(now)?;
        let new = due.checked_sub(self.released).ok_or(MATH_OVERFLOW)?;
        self.released = due;
        Ok(new)
    }

    fn unlocked_at(&self, now: u64) -> Result<u128> {
        if now < self.cliff_point {
            return Ok(0);
        }
        if self.frequency == 0 || self.per_period == 0 {
            return Ok(self.cliff_liquidity);
        }
        let passed = (now - self.cliff_point) / self.frequency;
        self.unlocked_after(passed.min(self.periods as u64))
    }

    fn unlocked_after(&self, periods: u64) -> Result<u128> {
        let steps = checked_mul(self.per_period, periods as u128).ok_or(MATH_OVERFLOW)?;
        self.cliff_liquidity.checked_add(steps).ok_or_else(|| MATH_OVERFLOW.into())
    }
}

/// The fields of a schedule's account.
pub struct Vesting {
    pub position: Address,
    pub schedule: Schedule,
}

impl Vesting {
    /// Reads the account. Fails with an error of Anchor's unless it is a schedule.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &TAG, LEN, name)?;
        let reader = &mut Reader::new(data.get(POSITION..).unwrap_or(&[]));
        let fields = reader.address().zip(Schedule::read(reader));
        let (position, schedule) = fields.ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))?;
        Ok(Self { position, schedule })
    }

    /// Writes a new account into zeroed data.
    pub fn initialize(&self, account: Account) -> Result {
        let data = &mut account.data_mut()?;
        bytes::put(data, 0, &TAG)?;
        bytes::put(data, POSITION, &self.position.0)?;
        self.schedule.write(data, SCHEDULE)
    }

    /// Writes the field that changes.
    pub fn save(&self, account: Account) -> Result {
        self.schedule.write(&mut account.data_mut()?, SCHEDULE)
    }
}
