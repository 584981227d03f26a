//! The dynamic fee of a pool. Its terms are in the configuration, and its volatility is in the pool.

use crate::error::convert;
use crate::state::fees::{DynamicFee, Volatility};
use sluice_meteora::fees::dynamic;
use sluice_program::Result;

pub use dynamic::Move;

impl DynamicFee {
    /// Returns the fee rate in billionths for the volatility after the last swap.
    pub fn rate(&self, volatility: &Volatility) -> Result<u128> {
        match self.terms() {
            Some(terms) => terms.rate(&volatility.state()).map_err(convert),
            None => Ok(0),
        }
    }

    /// Called before a swap at a price. If enough time has passed, the previous moves count less.
    #[inline(never)]
    pub fn before_swap(&self, volatility: &mut Volatility, sqrt_price: u128, now: u64) -> Result {
        if let Some(terms) = self.terms() {
            let mut state = volatility.state();
            terms.before_swap(&mut state, sqrt_price, now)?;
            volatility.set(&state);
        }
        Ok(())
    }

    /// Called after a swap. It adds the move to the volatility.
    #[inline(never)]
    pub fn after_swap(&self, volatility: &mut Volatility, swap: &Move) -> Result {
        if let Some(terms) = self.terms() {
            let mut state = volatility.state();
            terms.after_swap(&mut state, swap)?;
            volatility.set(&state);
        }
        Ok(())
    }

    /// Returns None if there is no dynamic fee.
    fn terms(&self) -> Option<dynamic::DynamicFee> {
        if self.initialized == 0 {
            return None;
        }
        let Self { max_accumulator, control, bin_step, .. } = *self;
        let Self { filter_period, decay_period, reduction_bps, bin_step_q64, .. } = *self;
        Some(dynamic::DynamicFee {
            max_accumulator,
            control,
            bin_step,
            filter_period,
            decay_period,
            reduction_bps,
            bin_step_q64,
        })
    }
}

impl Volatility {
    fn state(&self) -> dynamic::Volatility {
        dynamic::Volatility {
            last_update: self.last_update,
            reference_price: self.sqrt_price_reference,
            accumulator: self.accumulator,
            reference: self.reference,
        }
    }

    fn set(&mut self, state: &dynamic::Volatility) {
        self.last_update = state.last_update;
        self.sqrt_price_reference = state.reference_price;
        self.accumulator = state.accumulator;
        self.reference = state.reference;
    }
}
