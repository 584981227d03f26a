//! Fees as ratios, and fees that start in a later epoch.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::math::mul_div_ceil;
use sluice_program::Result;

/// A fee as a ratio.
#[derive(Clone, Copy)]
pub struct Fee {
    pub denominator: u64,
    pub numerator: u64,
}

impl Fee {
    /// Returns None if the bytes are cut short.
    pub fn read(from: &mut Reader) -> Option<Self> {
        Some(Self { denominator: from.u64()?, numerator: from.u64()? })
    }

    /// Writes the fee.
    pub fn write(&self, to: &mut Writer) -> Result {
        to.u64(self.denominator)?;
        to.u64(self.numerator)
    }

    /// Returns the share of `amount`, rounded up, or zero if the denominator is 0. Returns None if the result exceeds
    /// u64.
    pub fn of(&self, amount: u64) -> Option<u64> {
        if self.denominator == 0 {
            return Some(0);
        }
        mul_div_ceil(amount, self.numerator, self.denominator)
    }
}

/// A fee that replaces the current one when the pool is updated in the epoch after next (`Two`) or in the next one
/// (`One`).
#[derive(Clone, Copy)]
pub enum FutureFee {
    None,
    One(Fee),
    Two(Fee),
}

impl FutureFee {
    /// Returns None if the bytes are cut short or the tag is unknown.
    pub fn read(from: &mut Reader) -> Option<Self> {
        match from.u8()? {
            0 => Some(Self::None),
            1 => Fee::read(from).map(Self::One),
            2 => Fee::read(from).map(Self::Two),
            _ => None,
        }
    }

    /// Writes the fee.
    pub fn write(&self, to: &mut Writer) -> Result {
        match self {
            Self::None => to.u8(0),
            Self::One(fee) => {
                to.u8(1)?;
                fee.write(to)
            }
            Self::Two(fee) => {
                to.u8(2)?;
                fee.write(to)
            }
        }
    }

    /// Called when an epoch has passed. Sets `current` if this fee was due.
    pub fn pass_epoch(&mut self, current: &mut Fee) {
        *self = match *self {
            Self::Two(fee) => Self::One(fee),
            Self::One(fee) => {
                *current = fee;
                Self::None
            }
            Self::None => Self::None,
        };
    }
}
