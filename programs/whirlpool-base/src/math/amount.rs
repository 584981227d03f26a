//! Token amounts between two prices.

use crate::error::{
    MULTIPLICATION_OVERFLOW, MULTIPLICATION_SHIFT_RIGHT_OVERFLOW, NUMBER_DOWN_CAST, TOKEN_MAX_EXCEEDED,
};
use sluice_program::wide::{self, U256};
use sluice_program::{AnchorError, Result};

/// An amount, or the error for one that exceeds u64. It is an error only if the amount has to be moved.
pub type Amount = core::result::Result<u64, AnchorError>;

/// Two prices in any order, and the liquidity between them.
pub struct Stretch {
    pub from: u128,
    pub to: u128,
    pub liquidity: u128,
}

impl Stretch {
    fn lower(&self) -> u128 {
        self.from.min(self.to)
    }

    fn upper(&self) -> u128 {
        self.from.max(self.to)
    }

    /// Returns the amount of token A: liquidity × (upper − lower) / (upper × lower). Fails with
    /// MultiplicationOverflow if liquidity × (upper − lower) exceeds 192 bits.
    #[inline(never)]
    pub fn amount_a(&self, round_up: bool) -> Result<Amount> {
        let (lower, upper) = (self.lower(), self.upper());
        let numerator =
            shift_64(U256::product(self.liquidity, upper - lower)).ok_or(MULTIPLICATION_OVERFLOW)?;
        // Two successive divisions, each rounded down, give the same as one division by the product.
        let (once, first) = numerator.div_rem(upper).ok_or(NUMBER_DOWN_CAST)?;
        let (twice, second) = once.div_rem(lower).ok_or(NUMBER_DOWN_CAST)?;
        let up = round_up && (first != 0 || second != 0);
        let amount = match twice.narrow().and_then(|quotient| quotient.checked_add(up as u128)) {
            None => Err(NUMBER_DOWN_CAST),
            Some(amount) if amount >> 64 != 0 => Err(TOKEN_MAX_EXCEEDED),
            Some(amount) => Ok(amount as u64),
        };
        Ok(amount)
    }

    /// Returns the amount of token B: liquidity × (upper − lower).
    #[inline(never)]
    pub fn amount_b(&self, round_up: bool) -> Amount {
        let product = wide::checked_mul(self.liquidity, self.upper() - self.lower())
            .ok_or(MULTIPLICATION_SHIFT_RIGHT_OVERFLOW)?;
        let (amount, fraction) = wide::split(product);
        let up = round_up && fraction != 0;
        amount.checked_add(up as u64).ok_or(MULTIPLICATION_OVERFLOW)
    }
}

/// Two different prices, the lower one first, and the amount of one token for the range between them.
pub struct Gap {
    pub from: u128,
    pub to: u128,
    pub amount: u64,
}

/// Returns the liquidity for an amount of token A: amount × upper × lower / (upper − lower), rounded down. Fails with
/// NumberDownCastError if it exceeds u128.
#[inline(never)]
pub fn liquidity_of_a(gap: &Gap) -> Result<u128> {
    // Prices have 96 bits, so the whole product fits 256 bits.
    let U256 { high, low } = U256::product(gap.to, gap.from);
    let [high, low] = [high, low].map(|half| U256::product(half, gap.amount as u128));
    let carried = U256 { high: high.low, low: 0 }.checked_add(low).ok_or(NUMBER_DOWN_CAST)?;
    let shifted = U256 { high: carried.high >> 64, low: carried.high << 64 | carried.low >> 64 };
    let (liquidity, _) = shifted.div_rem(gap.to - gap.from).ok_or(NUMBER_DOWN_CAST)?;
    liquidity.narrow().ok_or_else(|| NUMBER_DOWN_CAST.into())
}

/// Returns the liquidity for an amount of token B: amount / (upper − lower), rounded down.
#[inline(never)]
pub fn liquidity_of_b(gap: &Gap) -> u128 {
    wide::div_floor(wide::join(gap.amount, 0), gap.to - gap.from).unwrap_or(0)
}

/// Shifts the value left by 64 bits. Returns None if the result exceeds 256 bits.
pub fn shift_64(value: U256) -> Option<U256> {
    if value.high >> 64 != 0 {
        return None;
    }
    Some(U256 { high: value.high << 64 | value.low >> 64, low: value.low << 64 })
}
