//! The price after an amount was added or removed.

use crate::error::{out_of_range, Wrong};
use crate::math::long_division::{mul_div_ceil, Fraction};
use core::result::Result;
use sluice_program::wide::U256;

/// The state of a pool before an amount of one token is added or removed.
pub struct PriceState {
    pub sqrt_price: u128,
    pub liquidity: u128,
}

impl PriceState {
    /// Returns liquidity × price / (liquidity ± amount × price), rounded up.
    #[inline(always)]
    pub fn after_token_a(&self, amount: u64, goes_in: bool) -> Result<u128, Wrong> {
        self.check();
        if amount == 0 {
            return Ok(self.sqrt_price);
        }
        let moved = U256::product(self.sqrt_price, amount as u128);
        let held = U256::from_u128(self.liquidity);
        let divisor = if goes_in { held.checked_add(moved) } else { held.checked_sub(moved) };
        let divisor = divisor.filter(|value| value.high != 0 || value.low != 0).ok_or(Wrong::Overflow)?;
        mul_div_ceil(&Fraction { a: self.liquidity, b: self.sqrt_price, divisor }).ok_or(Wrong::Cast)
    }

    /// Returns price ± amount × 2^128 / liquidity, rounded down.
    #[inline(always)]
    pub fn after_token_b(&self, amount: u64, goes_in: bool) -> Result<u128, Wrong> {
        self.check();
        if amount == 0 {
            return Ok(self.sqrt_price);
        }
        let (change, rest) =
            U256 { high: amount as u128, low: 0 }.div_rem(self.liquidity).ok_or(Wrong::Overflow)?;
        let beyond = if goes_in { Wrong::Cast } else { Wrong::Overflow };
        let change = change.narrow().ok_or(beyond)?;
        let price = if goes_in {
            self.sqrt_price.checked_add(change)
        } else {
            change.checked_add((rest != 0) as u128).and_then(|change| self.sqrt_price.checked_sub(change))
        };
        price.ok_or(beyond)
    }

    fn check(&self) {
        if self.sqrt_price == 0 || self.liquidity == 0 {
            out_of_range("price or liquidity of zero");
        }
    }
}
