//! The scale of amounts and their minimums. Inside vaults, amounts have nine decimals, whatever the token has.

use crate::error::INVALID_DECIMALS;
use crate::math::{div, div_up, mul, signed};
use sluice_program::Result;

const DECIMALS: u8 = 9;
/// Tokens with fewer decimals than this have minimums of their own.
const LOW_DECIMALS: u8 = 4;

/// A token's scale: the number of units of nine decimals per atom.
#[derive(Clone, Copy)]
pub struct Scale {
    unit: u128,
    few_decimals: bool,
}

impl Scale {
    /// Fails with VaultInvalidDecimals if the token has more than nine decimals.
    pub fn of(decimals: u8) -> Result<Self> {
        let missing = DECIMALS.checked_sub(decimals).ok_or(INVALID_DECIMALS)?;
        let mut unit = 1u64;
        for _ in 0..missing {
            unit = unit.wrapping_mul(10);
        }
        Ok(Self { unit: unit as u128, few_decimals: decimals < LOW_DECIMALS })
    }

    /// Converts atoms to units of nine decimals.
    pub fn up(&self, atoms: u128) -> Result<u128> {
        mul(atoms, self.unit)
    }

    /// Converts units of nine decimals to atoms, rounded down.
    pub fn down(&self, units: u128) -> Result<u128> {
        div(units, self.unit)
    }

    /// Converts units of nine decimals to atoms, rounded up.
    pub fn down_rounded_up(&self, units: u128) -> Result<u128> {
        div_up(units, self.unit)
    }

    /// Converts signed atoms to units.
    #[inline(never)]
    pub fn signed_up(&self, atoms: i128) -> Result<i128> {
        with_sign(self.up(atoms.unsigned_abs())?, atoms)
    }

    /// Converts signed units to atoms, rounded towards zero.
    #[inline(never)]
    pub fn signed_down(&self, units: i128) -> Result<i128> {
        with_sign(self.down(units.unsigned_abs())?, units)
    }

    /// Returns the minimum amount of an operation, in atoms.
    pub fn min_operation(&self) -> u128 {
        if self.few_decimals {
            10
        } else {
            1_000
        }
    }

    /// Returns the minimum debt of a position, in units.
    pub fn min_debt(&self) -> Result<u128> {
        self.up(self.min_operation())
    }

    /// Returns the minimum debt that a tick or a branch keeps, in units.
    pub fn min_rest(&self) -> Result<u128> {
        self.up(if self.few_decimals { 5 } else { 100 })
    }
}

fn with_sign(size: u128, of: i128) -> Result<i128> {
    let size = signed(size)?;
    Ok(if of < 0 { -size } else { size })
}
