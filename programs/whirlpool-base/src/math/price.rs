//! The price after an amount was added or removed.

use crate::error::{
    DIVIDE_BY_ZERO, MULTIPLICATION_OVERFLOW, NUMBER_DOWN_CAST, SQRT_PRICE_OUT_OF_BOUNDS, TOKEN_MAX_EXCEEDED,
    TOKEN_MIN_SUBCEEDED,
};
use crate::math::amount::shift_64;
use crate::math::tick::{MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use sluice_program::wide::{self, U256};
use sluice_program::Result;

/// An amount that a pool receives (`adds`) or pays, and the pool's state before.
pub struct Change {
    pub sqrt_price: u128,
    pub liquidity: u128,
    pub amount: u64,
    pub adds: bool,
}

impl Change {
    /// Returns the price after a change of token A, rounded up: liquidity × price / (liquidity ± amount × price).
    #[inline(never)]
    pub fn of_token_a(&self) -> Result<u128> {
        if self.amount == 0 {
            return Ok(self.sqrt_price);
        }
        let moved = U256::product(self.sqrt_price, self.amount as u128);
        let numerator =
            shift_64(U256::product(self.liquidity, self.sqrt_price)).ok_or(MULTIPLICATION_OVERFLOW)?;
        let held = U256 { high: self.liquidity >> 64, low: self.liquidity << 64 };
        let denominator = if self.adds { held.checked_add(moved) } else { held.checked_sub(moved) };
        let denominator =
            denominator.filter(|value| value.high != 0 || value.low != 0).ok_or(DIVIDE_BY_ZERO)?;
        let price = div_ceil(&numerator, &denominator).ok_or(NUMBER_DOWN_CAST)?;
        if price < MIN_SQRT_PRICE {
            Err(TOKEN_MIN_SUBCEEDED.into())
        } else if price > MAX_SQRT_PRICE {
            Err(TOKEN_MAX_EXCEEDED.into())
        } else {
            Ok(price)
        }
    }

    /// Returns the price after a change of token B, rounded down: price ± amount / liquidity.
    #[inline(never)]
    pub fn of_token_b(&self) -> Result<u128> {
        let amount = (self.amount as u128) << 64;
        let change = if self.adds {
            wide::div_floor(amount, self.liquidity)
        } else {
            wide::div_ceil(amount, self.liquidity)
        };
        let change = change.ok_or(DIVIDE_BY_ZERO)?;
        let price =
            if self.adds { self.sqrt_price.checked_add(change) } else { self.sqrt_price.checked_sub(change) };
        price.ok_or_else(|| SQRT_PRICE_OUT_OF_BOUNDS.into())
    }
}

/// Returns ceil(numerator / denominator), computed bit by bit. The denominator must be above zero and below 2^255.
/// Returns None if the result exceeds u128.
#[inline(always)]
fn div_ceil(numerator: &U256, denominator: &U256) -> Option<u128> {
    // The quotient of the upper half alone has to be zero, so only the bits of the lower half are processed.
    let mut rest = U256::from_u128(numerator.high);
    if rest >= *denominator {
        return None;
    }
    let mut bits = numerator.low;
    let mut quotient: u128 = 0;
    for _ in 0..128 {
        rest = doubled(rest, bits >> 127 != 0);
        bits <<= 1;
        quotient <<= 1;
        if let Some(less) = rest.checked_sub(*denominator) {
            rest = less;
            quotient |= 1;
        }
    }
    quotient.checked_add((rest.high != 0 || rest.low != 0) as u128)
}

#[inline(always)]
fn doubled(value: U256, carry: bool) -> U256 {
    U256 { high: value.high << 1 | value.low >> 127, low: value.low << 1 | carry as u128 }
}
