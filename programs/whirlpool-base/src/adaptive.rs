//! The adaptive fee, which follows volatility: it rises with the square of the ticks that were crossed recently.

use crate::error::{INVALID_TIMESTAMP, NUMBER_CAST, NUMBER_DOWN_CAST};
use crate::math::floor_div;
use crate::math::tick::{at_price, price_at, MAX_TICK, MIN_TICK};
use crate::state::oracle::{Constants, Oracle, Variables};
use sluice_program::wide::U256;
use sluice_program::{math, Result};

/// Volatility is a number of tick groups times this.
const VOLATILITY_SCALE: u32 = 10_000;
const REDUCTION_DENOMINATOR: u64 = 10_000;
/// The control factor is in hundred-thousandths, and the volatility is squared.
const RATE_DENOMINATOR: u64 = 100_000 * (VOLATILITY_SCALE as u64) * (VOLATILITY_SCALE as u64);
/// The age in seconds after which a reference is reset, however busy the pool is.
const MAX_REFERENCE_SECONDS: u64 = 3_600;
/// The maximum of the total fee rate in millionths, which is a tenth.
const MAX_TOTAL_FEE_RATE: u64 = 100_000;

/// A tick group, and the price at its end. Beyond it the volatility stays at its maximum.
#[derive(Clone, Copy)]
struct Bound {
    group: i32,
    price: u128,
}

/// The adaptive fee during one swap.
pub struct Adaptive {
    constants: Constants,
    pub variables: Variables,
    now: u64,
    a_to_b: bool,
    group: i32,
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// Whether the current step may pass through more than one tick group.
    skips: bool,
}

impl Adaptive {
    /// Sets the reference from which the swap's volatility is measured. Fails with InvalidTimestamp if the clock went
    /// back.
    #[inline(never)]
    pub fn begin(oracle: &Oracle, tick: i32, a_to_b: bool, now: u64) -> Result<Self> {
        let constants = &oracle.constants;
        let size = constants.tick_group_size as i32;
        let group = floor_div(tick, size);
        let variables = referenced(constants, &oracle.variables, group, now)?;
        let most = constants.max_volatility.checked_sub(variables.volatility_reference).ok_or(NUMBER_CAST)?;
        let reach = most.div_ceil(VOLATILITY_SCALE) as i32;
        let [lower, upper] = [variables.tick_group_reference - reach, variables.tick_group_reference + reach];
        let [below, above] = [lower * size, upper * size + size];
        let bound = |group, tick| Bound { group, price: price_at(tick) };
        Ok(Self {
            constants: *constants,
            variables,
            now,
            a_to_b,
            group,
            lower: (below > MIN_TICK).then(|| bound(lower, below)),
            upper: (above < MAX_TICK).then(|| bound(upper, above)),
            skips: false,
        })
    }

    /// Returns the total fee rate in millionths at the current tick group, and records the volatility there.
    #[inline(never)]
    pub fn rate(&mut self, fee_rate: u16) -> Result<u64> {
        self.record_volatility();
        let crossed = self.variables.volatility as u64 * self.constants.tick_group_size as u64;
        let squared = math::checked_mul(crossed, crossed).ok_or(NUMBER_CAST)?;
        let rate = math::mul_div_ceil(squared, self.constants.control_factor as u64, RATE_DENOMINATOR);
        let total = rate.ok_or(NUMBER_CAST)?.saturating_add(fee_rate as u64);
        Ok(total.min(MAX_TOTAL_FEE_RATE))
    }

    fn record_volatility(&mut self) {
        let crossed = (self.variables.tick_group_reference - self.group).unsigned_abs() as u64;
        let volatility = self.variables.volatility_reference as u64 + crossed * VOLATILITY_SCALE as u64;
        self.variables.volatility = volatility.min(self.constants.max_volatility as u64) as u32;
    }

    /// Returns the price on the way to `target` up to which the rate stays the same.
    #[inline(never)]
    pub fn bounded(&mut self, target: u128, has_liquidity: bool) -> u128 {
        self.skips = true;
        if self.constants.control_factor == 0 || !has_liquidity {
            return target;
        }
        if let Some(bound) = self.lower.filter(|bound| self.group < bound.group) {
            return if self.a_to_b { target } else { target.min(bound.price) };
        }
        if let Some(bound) = self.upper.filter(|bound| self.group > bound.group) {
            return if self.a_to_b { target.max(bound.price) } else { target };
        }
        self.skips = false;
        let boundary = (self.group + !self.a_to_b as i32) * self.constants.tick_group_size as i32;
        let end = price_at(boundary.clamp(MIN_TICK, MAX_TICK));
        if self.a_to_b {
            target.max(end)
        } else {
            target.min(end)
        }
    }

    /// Moves to the next tick group after a step that ended at `price`. `is_stop` tells whether `price` is that of
    /// the tick `stop`.
    #[inline(never)]
    pub fn advance(&mut self, price: u128, is_stop: bool, stop: i32) {
        if self.skips {
            self.catch_up(price, is_stop, stop);
        }
        self.group += if self.a_to_b { -1 } else { 1 };
    }

    /// Moves to the last group through which a step passed that did not end at a group's end. It never moves back.
    fn catch_up(&mut self, price: u128, is_stop: bool, stop: i32) {
        let size = self.constants.tick_group_size;
        let tick = if is_stop { stop } else { at_price(price) };
        let divides = tick.unsigned_abs() % size as u32 == 0;
        let on_boundary = divides && (is_stop || price == price_at(tick));
        let last = floor_div(tick, size as i32) - (on_boundary && !self.a_to_b) as i32;
        if if self.a_to_b { last < self.group } else { last > self.group } {
            self.group = last;
            self.record_volatility();
        }
    }

    /// Records whether the swap moved the price far. Fails with NumberDownCastError if a price overflows.
    #[inline(never)]
    pub fn end(&mut self, before: u128, after: u128) -> Result {
        let (lower, higher) = if before < after { (before, after) } else { (after, before) };
        let far = U256::product(lower, price_at(self.constants.major_swap_ticks as i32));
        if far.high >> 64 != 0 {
            return Err(NUMBER_DOWN_CAST.into());
        }
        if higher >= (far.high << 64 | far.low >> 64) {
            self.variables.major_swap_at = self.now;
        }
        Ok(())
    }
}

/// Returns the stored values, or values with the current tick group as reference and the part of the previous
/// volatility that has not decayed.
fn referenced(constants: &Constants, found: &Variables, group: i32, now: u64) -> Result<Variables> {
    let latest = found.reference_updated_at.max(found.major_swap_at);
    let elapsed = now.checked_sub(latest).ok_or(INVALID_TIMESTAMP)?;
    let forgotten = now - found.reference_updated_at > MAX_REFERENCE_SECONDS;
    if !forgotten && elapsed < constants.filter_period as u64 {
        return Ok(*found);
    }
    let volatility_reference = if forgotten || elapsed >= constants.decay_period as u64 {
        0
    } else {
        let factor = constants.reduction_factor as u64;
        math::mul_div_floor(found.volatility as u64, factor, REDUCTION_DENOMINATOR).ok_or(NUMBER_CAST)? as u32
    };
    let reference_updated_at = now;
    Ok(Variables { tick_group_reference: group, volatility_reference, reference_updated_at, ..*found })
}
