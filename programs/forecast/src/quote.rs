//! What the house asks for tokens of a side and what it pays for them: the fair price, half a spread, and a slope by what it
//! has sold more of one side than of the other. All rounding is to the side of the house.

use sluice_program::{math, wide, Result};

use crate::errors::{MATH_OVERFLOW, PRICE_OUT_OF_RANGE};

/// No token costs less or brings less.
const LOWEST: i64 = 10_000;
/// No token costs more or brings more.
const HIGHEST: i64 = 990_000;
/// The slope is for a thousand tokens, so for as many millionths.
const SLOPE_TOKENS: u64 = 1_000_000_000;
/// The scale of sums of prices over tokens, in which a price counts `2 * SLOPE_TOKENS`.
const SCALE: u64 = 2_000_000_000_000_000;

/// The prices of one side in one moment.
pub struct Quote {
    /// What a token of the side is worth, in micro USD.
    pub fair: u64,
    pub half_spread: u32,
    pub slope: u32,
    /// The tokens of this side and of the other one that are outstanding.
    pub own: u64,
    pub other: u64,
}

/// A trade at a quote.
pub struct Trade {
    /// The tokens that are bought, or the USDC that a sale brings.
    pub out: u64,
    /// What the first token costs or brings, in micro USD.
    pub first_price: u64,
}

impl Quote {
    /// Returns what USDC buys: the greatest number of tokens that costs no more. Fails with PriceOutOfRange if the last one
    /// would cost more than a token may.
    #[inline(never)]
    pub fn buy(&self, paid: u64) -> Result<Trade> {
        let ask =
            (self.worth() + self.half_spread as i64).checked_add(self.tilt(true)?).ok_or(MATH_OVERFLOW)?;
        let ask = ask.max(LOWEST);
        if ask > HIGHEST {
            return Err(PRICE_OUT_OF_RANGE.into());
        }
        let tokens = self.solve(ask as u64, paid)?;
        if self.step(tokens)? > (HIGHEST - ask) as u64 {
            return Err(PRICE_OUT_OF_RANGE.into());
        }
        Ok(Trade { out: tokens, first_price: ask as u64 })
    }

    /// Returns what tokens bring. Fails with PriceOutOfRange if the last one would bring less than a token may.
    #[inline(never)]
    pub fn sell(&self, tokens: u64) -> Result<Trade> {
        let bid =
            (self.worth() - self.half_spread as i64).checked_add(self.tilt(false)?).ok_or(MATH_OVERFLOW)?;
        let bid = bid.min(HIGHEST);
        if bid < LOWEST || self.step(tokens)? > (bid - LOWEST) as u64 {
            return Err(PRICE_OUT_OF_RANGE.into());
        }
        let bid = bid as u64;
        // At the bid, a price less than a dollar, and the slope never exceeds it: neither product leaves u128.
        let level = wide::checked_mul(math::widening_mul(bid, 2 * SLOPE_TOKENS), tokens as u128)
            .ok_or(MATH_OVERFLOW)?;
        let falls = wide::checked_mul(math::widening_mul(self.slope as u64, tokens), tokens as u128)
            .ok_or(MATH_OVERFLOW)?;
        let sum = level.checked_sub(falls).ok_or(MATH_OVERFLOW)?;
        let (out, _) = math::div_rem(sum, SCALE).ok_or(MATH_OVERFLOW)?;
        Ok(Trade { out, first_price: bid })
    }

    /// A fair price is at most a dollar.
    fn worth(&self) -> i64 {
        self.fair as i64
    }

    /// Returns the greatest n for which (ask × n × 2 × 10^9 + slope × n²) / (2 × 10^15), rounded up, is at most what is paid.
    #[inline(never)]
    fn solve(&self, ask: u64, paid: u64) -> Result<u64> {
        if self.slope == 0 {
            return Ok(math::mul_div_floor(paid, 1_000_000, ask).ok_or(MATH_OVERFLOW)?);
        }
        let level = ask.wrapping_mul(SLOPE_TOKENS);
        let slope = self.slope as u64;
        let grows =
            wide::checked_mul(math::widening_mul(slope, SCALE), paid as u128).ok_or(PRICE_OUT_OF_RANGE)?;
        let square = math::widening_mul(level, level).checked_add(grows).ok_or(PRICE_OUT_OF_RANGE)?;
        // The root is rounded down, and so is the quotient, so that no more is owed than is paid.
        Ok((wide::sqrt(square) - level) / slope)
    }

    /// Returns how much the price moves over that many tokens, rounded up.
    #[inline(never)]
    fn step(&self, tokens: u64) -> Result<u64> {
        Ok(math::mul_div_ceil(self.slope as u64, tokens, SLOPE_TOKENS).ok_or(PRICE_OUT_OF_RANGE)?)
    }

    /// Returns what the tokens that are outstanding add to the price, rounded up or down.
    #[inline(never)]
    fn tilt(&self, up: bool) -> Result<i64> {
        let is_negative = self.own < self.other;
        let product = math::widening_mul(self.slope as u64, self.own.abs_diff(self.other));
        let (quotient, rest) = math::div_rem(product, SLOPE_TOKENS).ok_or(MATH_OVERFLOW)?;
        let is_away_from_zero = is_negative != up;
        let distance = i64::try_from(quotient).map_err(|_| MATH_OVERFLOW)?;
        let distance = distance.checked_add((is_away_from_zero && rest != 0) as i64).ok_or(MATH_OVERFLOW)?;
        Ok(if is_negative { -distance } else { distance })
    }
}
