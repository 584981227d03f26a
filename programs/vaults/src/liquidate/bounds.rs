//! The ticks between which debt is liquidated, and the price in collateral.

use crate::math::tick::tick_at;
use crate::math::{add, div, mul, mul_div, RATE_ONE, RATIO_ONE, THOUSAND, WHOLE};
use crate::oracle::{raw_rate, Oracle};
use crate::state::config::Config;
use crate::state::vault::Prices;
use sluice_program::Result;

const SQUARED_RATE_ONE: u128 = 1_000_000_000_000_000_000_000_000_000_000;

/// The bounds that follow from the oracle's rate.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Raw collateral per raw debt, including the penalty and rounded down. 1.0 is 10^15.
    pub col_per_debt: u128,
    /// Debt above this tick is liquidated down to it.
    pub liquidation_tick: i32,
    /// Debt above this tick is absorbed.
    pub max_tick: i32,
}

impl Bounds {
    /// Asks the oracle and computes the bounds. Fails with VaultInvalidOraclePrice if the rate is zero or above 10^9.
    #[inline(never)]
    pub fn of(config: &Config, prices: &Prices, oracle: &Oracle) -> Result<Self> {
        // Every rate except zero is accepted, because bad debt must be liquidated at any price.
        let rate = raw_rate(oracle.liquidate()?, 1, prices)?;
        let even = div(SQUARED_RATE_ONE, rate.ceil)?;
        let with_penalty = add(WHOLE, config.terms.liquidation_penalty as u128)?;
        let ratio = mul_div(rate.floor, RATIO_ONE, RATE_ONE)?;
        Ok(Self {
            col_per_debt: div(mul(even, with_penalty)?, WHOLE)?,
            liquidation_tick: tick_below(ratio, config.terms.liquidation_threshold)?,
            max_tick: tick_below(ratio, config.terms.liquidation_max_limit)?,
        })
    }
}

/// Returns the tick at this many 1,000ths of a ratio.
fn tick_below(ratio: u128, share: u16) -> Result<i32> {
    let (tick, _) = tick_at(div(mul(ratio, share as u128)?, THOUSAND)?)?;
    Ok(tick)
}
