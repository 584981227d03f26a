//! The invariant of two tokens: 2A(x + y) + D = 2AD + D³ / 4xy (M. Egorov, "StableSwap", 2019; the amplification A is
//! counted as in Curve's contracts), solved by Newton's method in whole numbers. A function returns None if a number
//! does not fit the 192 bits with which the public program computes.

use sluice_program::math::{checked_mul, narrow};
use sluice_program::wide::{self, U256};

/// The maximum number of Newton steps. After them the last value is used, whether or not it has converged.
const MAX_STEPS: u32 = 256;
const TOKENS: u64 = 2;
/// The public program computes with 192 bits, so the high half of our 256 bits must stay below this.
const HIGH_END: u128 = 1 << 64;

/// The amplification coefficient A. It may be ramping from one value to another between two Unix seconds.
#[derive(Clone, Copy)]
pub struct Amplification {
    pub initial: u64,
    pub target: u64,
    pub start: i64,
    pub stop: i64,
}

impl Amplification {
    /// Returns an amplification that does not change with time.
    pub const fn constant(value: u64) -> Self {
        Self { initial: value, target: value, start: 0, stop: 0 }
    }

    /// Returns the value at a Unix second: interpolated linearly, and rounded towards the initial value. Returns None
    /// if the second lies before the start.
    pub fn at(&self, now: i64) -> Option<u64> {
        if now >= self.stop {
            return Some(self.target);
        }
        let duration = u64::try_from(self.stop.checked_sub(self.start)?).ok()?;
        let passed = u64::try_from(now.checked_sub(self.start)?).ok()?;
        if self.target >= self.initial {
            let range = self.target - self.initial;
            self.initial.checked_add(share(range, passed, duration)?)
        } else {
            let range = self.initial - self.target;
            self.initial.checked_sub(share(range, passed, duration)?)
        }
    }
}

fn share(range: u64, passed: u64, duration: u64) -> Option<u64> {
    sluice_program::math::mul_div_floor(range, passed, duration)
}

/// Returns D for two amounts at amplification `a`.
#[inline(never)]
pub fn invariant(a: u64, x: u64, y: u64) -> Option<u128> {
    let sum = x.checked_add(y)?;
    if sum == 0 {
        return Some(0);
    }
    let factor = checked_mul(a, TOKENS)?;
    let leverage = wide::checked_mul(sum as u128, factor as u128)?;
    let (twice_x, twice_y) = (checked_mul(x, TOKENS)?, checked_mul(y, TOKENS)?);
    let mut d = sum as u128;
    for _ in 0..MAX_STEPS {
        let previous = d;
        // D³ / 4xy
        let half = wide::mul_div_floor(previous, previous, twice_x as u128)?;
        let product = wide::mul_div_floor(half, previous, twice_y as u128)?;
        d = next_invariant(&Guess { d: previous, product, leverage, factor })?;
        if near(d, previous) {
            break;
        }
    }
    Some(d)
}

struct Guess {
    d: u128,
    product: u128,
    leverage: u128,
    factor: u64,
}

/// (2AS + 2P) D / ((2A − 1) D + 3P), where P is D³ / 4xy and the factor is 2A.
#[inline(never)]
fn next_invariant(guess: &Guess) -> Option<u128> {
    let Guess { d, product, leverage, factor } = *guess;
    let weight = wide::checked_mul(product, TOKENS as u128)?.checked_add(leverage)?;
    let numerator = U256::product(d, weight);
    if numerator.high >= HIGH_END {
        return None;
    }
    let rest = factor.checked_sub(1)? as u128;
    let thrice = wide::checked_mul(product, TOKENS as u128 + 1)?;
    let denominator = wide::checked_mul(d, rest)?.checked_add(thrice)?;
    numerator.div_rem(denominator)?.0.narrow()
}

/// Returns the amount of one token at which the invariant is `d`, given the amount `x` of the other.
#[inline(never)]
pub fn balance(a: u64, x: u64, d: u128) -> Option<u64> {
    let factor = checked_mul(a, TOKENS)?;
    let c = constant_term(d, x, factor)?;
    let b = wide::div_floor(d, factor as u128)?.checked_add(x as u128)?;
    let mut y = d;
    for _ in 0..MAX_STEPS {
        let previous = y;
        y = next_balance(previous, b, d, &c)?;
        if near(y, previous) {
            break;
        }
    }
    narrow(y)
}

/// D³ / (4 x 2A), rounded after each of the two divisions.
fn constant_term(d: u128, x: u64, factor: u64) -> Option<U256> {
    let first = wide::mul_div_floor(d, d, checked_mul(x, TOKENS)? as u128)?;
    let product = U256::product(first, d);
    if product.high >= HIGH_END {
        return None;
    }
    Some(product.div_rem(checked_mul(factor, TOKENS)? as u128)?.0)
}

/// (y² + c) / (2y + b − D)
#[inline(always)]
fn next_balance(y: u128, b: u128, d: u128, c: &U256) -> Option<u128> {
    let numerator = U256::product(y, y).checked_add(*c)?;
    if numerator.high >= HIGH_END {
        return None;
    }
    let denominator = wide::checked_mul(y, TOKENS as u128)?.checked_add(b)?.checked_sub(d)?;
    numerator.div_rem(denominator)?.0.narrow()
}

fn near(one: u128, other: u128) -> bool {
    one.abs_diff(other) <= 1
}
