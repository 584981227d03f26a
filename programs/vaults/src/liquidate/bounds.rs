//! Between which ticks debt is liquidated, and for how much collateral.

use crate::math::tick::tick_at;
use crate::math::{add, div, mul, mul_div, RATE_ONE, RATIO_ONE, THOUSAND, WHOLE};
use crate::oracle::{raw_rate, Oracle};
use crate::state::config::Config;
use crate::state::vault::Prices;
use sluice_program::Result;

const SQUARED_RATE_ONE: u128 = 1_000_000_000_000_000_000_000_000_000_000;

/// What the oracle's rate means for a vault.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Raw collateral for raw debt, with the penalty; 1.0 is 10^15. Rounded down.
    pub col_per_debt: u128,
    /// Debt above this tick is liquidated down to it.
    pub liquidation_tick: i32,
    /// Debt above this tick is absorbed.
    pub max_tick: i32,
}

impl Bounds {
    #[inline(never)]
    pub fn of(config: &Config, prices: &Prices, oracle: &Oracle) -> Result<Self> {
        // Any rate but zero is taken, as bad debt must go at any price.
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

/// The tick at so many 1,000ths of a ratio.
fn tick_below(ratio: u128, share: u16) -> Result<i32> {
    let (tick, _) = tick_at(div(mul(ratio, share as u128)?, THOUSAND)?)?;
    Ok(tick)
}
