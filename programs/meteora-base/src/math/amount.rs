//! The amounts of either token that liquidity is worth between two root prices.

use crate::error::{in_range, MATH_OVERFLOW};
use crate::math::Rounding;
use sluice_program::math::narrow;
use sluice_program::wide::U256;
use sluice_program::Result;

/// Liquidity between two root prices.
pub struct Stretch {
    pub lower: u128,
    pub upper: u128,
    pub liquidity: u128,
}

impl Stretch {
    /// Returns the amount of token A. Fails with MathOverflow if it exceeds u64.
    pub fn token_a(&self, rounding: Rounding) -> Result<u64> {
        fitting(self.all_of_token_a(rounding)?)
    }

    /// Returns the amount of token B. Fails with MathOverflow if it exceeds u64, or if the upper price is below the
    /// lower.
    pub fn token_b(&self, rounding: Rounding) -> Result<u64> {
        fitting(self.all_of_token_b(rounding)?)
    }

    /// Returns liquidity × (upper − lower) / (upper × lower). Two successive roundings in one direction give the same
    /// as a single one.
    #[inline(never)]
    pub fn all_of_token_a(&self, rounding: Rounding) -> Result<U256> {
        let difference = in_range(self.upper.checked_sub(self.lower), "upper price below lower price");
        let first = divided(&U256::product(self.liquidity, difference), self.upper, rounding);
        Ok(divided(&first, self.lower, rounding))
    }

    /// Returns liquidity × (upper − lower) / 2^128.
    #[inline(never)]
    pub fn all_of_token_b(&self, rounding: Rounding) -> Result<U256> {
        let difference = self.upper.checked_sub(self.lower).ok_or(MATH_OVERFLOW)?;
        let product = U256::product(self.liquidity, difference);
        let up = rounding == Rounding::Up && product.low != 0;
        let whole = U256::from_u128(product.high).checked_add(U256::from_u128(up as u128));
        whole.ok_or_else(|| MATH_OVERFLOW.into())
    }
}

#[inline(always)]
fn divided(dividend: &U256, divisor: u128, rounding: Rounding) -> U256 {
    let (quotient, rest) = in_range(dividend.div_rem(divisor), "price of zero");
    let up = rounding == Rounding::Up && rest != 0;
    in_range(quotient.checked_add(U256::from_u128(up as u128)), "amount")
}

fn fitting(amount: U256) -> Result<u64> {
    amount.narrow().and_then(narrow).ok_or_else(|| MATH_OVERFLOW.into())
}
