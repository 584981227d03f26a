//! Fees as ratios, and fees that begin with a later epoch.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::math::mul_div_ceil;
use sluice_program::Result;

#[derive(Clone, Copy)]
pub struct Fee {
    pub denominator: u64,
    pub numerator: u64,
}

impl Fee {
    pub fn read(from: &mut Reader) -> Option<Self> {
        Some(Self { denominator: from.u64()?, numerator: from.u64()? })
    }

    pub fn write(&self, to: &mut Writer) -> Result {
        to.u64(self.denominator)?;
        to.u64(self.numerator)
    }

    /// The share of `amount`, rounded up; none when the denominator is 0. None beyond u64.
    pub fn of(&self, amount: u64) -> Option<u64> {
        if self.denominator == 0 {
            return Some(0);
        }
        mul_div_ceil(amount, self.numerator, self.denominator)
    }
}

/// A fee that takes over when the pool is updated in the epoch after next (`Two`), or in the next one (`One`).
#[derive(Clone, Copy)]
pub enum FutureFee {
    None,
    One(Fee),
    Two(Fee),
}

impl FutureFee {
    pub fn read(from: &mut Reader) -> Option<Self> {
        match from.u8()? {
            0 => Some(Self::None),
            1 => Fee::read(from).map(Self::One),
            2 => Fee::read(from).map(Self::Two),
            _ => None,
        }
    }

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

    /// An epoch has passed: sets `current` when it was the last to wait.
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
