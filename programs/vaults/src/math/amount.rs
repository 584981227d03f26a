//! Amounts inside vaults have nine decimals, whatever their token has; and how small amounts may be.

use crate::error::INVALID_DECIMALS;
use crate::math::{div, div_up, mul, signed};
use sluice_program::Result;

const DECIMALS: u8 = 9;
/// Tokens with fewer decimals have limits of their own.
const LOW_DECIMALS: u8 = 4;

/// A token's scale: how many units of nine decimals an atom is.
#[derive(Clone, Copy)]
pub struct Scale {
    unit: u128,
    few_decimals: bool,
}

impl Scale {
    /// VaultInvalidDecimals for more than nine.
    pub fn of(decimals: u8) -> Result<Self> {
        let missing = DECIMALS.checked_sub(decimals).ok_or(INVALID_DECIMALS)?;
        let mut unit = 1u64;
        for _ in 0..missing {
            unit = unit.wrapping_mul(10);
        }
        Ok(Self { unit: unit as u128, few_decimals: decimals < LOW_DECIMALS })
    }

    /// Atoms as units of nine decimals.
    pub fn up(&self, atoms: u128) -> Result<u128> {
        mul(atoms, self.unit)
    }

    /// Units of nine decimals as atoms, rounded down.
    pub fn down(&self, units: u128) -> Result<u128> {
        div(units, self.unit)
    }

    /// Units of nine decimals as atoms, rounded up.
    pub fn down_rounded_up(&self, units: u128) -> Result<u128> {
        div_up(units, self.unit)
    }

    /// Atoms as units, with their sign.
    #[inline(never)]
    pub fn signed_up(&self, atoms: i128) -> Result<i128> {
        with_sign(self.up(atoms.unsigned_abs())?, atoms)
    }

    /// Units as atoms with their sign, rounded toward zero.
    #[inline(never)]
    pub fn signed_down(&self, units: i128) -> Result<i128> {
        with_sign(self.down(units.unsigned_abs())?, units)
    }

    /// The least amount that an operation may move, in atoms.
    pub fn min_operation(&self) -> u128 {
        if self.few_decimals {
            10
        } else {
            1_000
        }
    }

    /// The least debt of a position, in units.
    pub fn min_debt(&self) -> Result<u128> {
        self.up(self.min_operation())
    }

    /// The least debt that a tick or a branch keeps, in units.
    pub fn min_rest(&self) -> Result<u128> {
        self.up(if self.few_decimals { 5 } else { 100 })
    }
}

fn with_sign(size: u128, of: i128) -> Result<i128> {
    let size = signed(size)?;
    Ok(if of < 0 { -size } else { size })
}
