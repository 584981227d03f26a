//! The amounts and the liquidity of the pool that a sold-out curve becomes.

use crate::error::{convert, require, MATH_OVERFLOW, TYPE_CAST_FAILED, UNDETERMINED_ERROR};
use crate::instructions::config::amounts::{
    compounding_start, liquidity_of_quote, migration_quote_amount, DEAD_LIQUIDITY,
};
use crate::keys::{BPS, MAX_SQRT_PRICE};
use crate::state::config::{PoolConfig, COMPOUNDING};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::{mul_div, Rounding};
use sluice_program::wide::{self, U256};
use sluice_program::Result;

/// The kind of the migrated pool. One over the whole range of prices starts at the last price of the curve, a
/// compounding one at the price of its reserves.
pub struct Migrated {
    compounds: bool,
    sqrt_price: u128,
}

/// The price and the liquidity with which the pool starts.
pub struct Start {
    pub sqrt_price: u128,
    /// What partner and creator share.
    pub distributable: u128,
    /// What belongs to no position.
    pub dead: u128,
}

/// The reserves and the liquidity of the new pool. Pairs are of the base and of the quote token.
pub struct Reserves {
    pub amounts: [u64; 2],
    pub liquidity: u128,
}

impl Migrated {
    /// Fails with TypeCastFailed if the kind is unknown.
    pub fn of(config: &PoolConfig) -> Result<Self> {
        require(config.migrated_collect_fee_mode <= COMPOUNDING, TYPE_CAST_FAILED)?;
        let compounds = config.migrated_collect_fee_mode == COMPOUNDING;
        Ok(Self { compounds, sqrt_price: config.migration_sqrt_price })
    }

    /// Returns what migrates, with the protocol's share. `held` is the base vault without the fees that are claimed. A
    /// pool over the whole range may take all of it, since its quote amount limits what it takes.
    #[inline(always)]
    pub fn amounts(&self, config: &PoolConfig, held: u64) -> Result<[u64; 2]> {
        let least = config.migration_base_threshold;
        if self.compounds {
            require(held >= least, UNDETERMINED_ERROR)?;
        }
        let quote =
            migration_quote_amount(config.migration_quote_threshold, config.migration_fee_percentage)?;
        Ok([if self.compounds { least } else { held }, quote])
    }

    /// Returns the protocol's share of the amounts, rounded down.
    #[inline(always)]
    pub fn protocol_fees(&self, amounts: &[u64; 2], bps: u16) -> Result<[u64; 2]> {
        let quote = mul_div(amounts[1], bps as u64, BPS, Rounding::Down).map_err(convert)?;
        let base = if self.compounds {
            mul_div(amounts[0], bps as u64, BPS, Rounding::Down).map_err(convert)?
        } else {
            let (lower, upper) = (self.sqrt_price, MAX_SQRT_PRICE);
            Stretch { lower, upper, liquidity: liquidity_of_quote(quote, lower)? }.token_a(Rounding::Down)?
        };
        Ok([base, quote])
    }

    /// Returns the start of a pool with at most these amounts.
    #[inline(always)]
    pub fn start(&self, amounts: &[u64; 2]) -> Result<Start> {
        if !self.compounds {
            let distributable = self.liquidity_of(amounts)?;
            return Ok(Start { sqrt_price: self.sqrt_price, distributable, dead: 0 });
        }
        let (sqrt_price, liquidity) = compounding_start(amounts[0], amounts[1])?;
        let distributable = liquidity.checked_sub(DEAD_LIQUIDITY).ok_or(MATH_OVERFLOW)?;
        Ok(Start { sqrt_price, distributable, dead: DEAD_LIQUIDITY })
    }

    /// Returns the liquidity that the new pool takes for at most these amounts.
    #[inline(always)]
    pub fn more(&self, amounts: &[u64; 2], pool: &Reserves) -> Result<u128> {
        if !self.compounds {
            return self.liquidity_of(amounts);
        }
        let base = share_of(pool, amounts[0], pool.amounts[0])?;
        let quote = share_of(pool, amounts[1], pool.amounts[1])?;
        Ok(base.min(quote))
    }

    /// Returns the liquidity over the whole range that neither amount exceeds, rounded down.
    #[inline(never)]
    fn liquidity_of(&self, [base, quote]: &[u64; 2]) -> Result<u128> {
        let difference = MAX_SQRT_PRICE.checked_sub(self.sqrt_price).ok_or(MATH_OVERFLOW)?;
        require(difference != 0, MATH_OVERFLOW)?;
        let of_quote = liquidity_of_quote(*quote, self.sqrt_price)?;
        let product = U256::product(self.sqrt_price, *base as u128);
        // The divisor is below the maximum price. So if one factor exceeds u128 the quotient does, and then the quote
        // amount is what limits.
        let of_base = match product.narrow() {
            Some(product) => wide::mul_div_floor(product, MAX_SQRT_PRICE, difference),
            None => None,
        };
        Ok(of_base.map_or(of_quote, |of_base| of_base.min(of_quote)))
    }
}

/// Returns amount × liquidity / reserve, rounded down.
fn share_of(pool: &Reserves, amount: u64, reserve: u64) -> Result<u128> {
    require(reserve != 0, MATH_OVERFLOW)?;
    wide::mul_div_floor(amount as u128, pool.liquidity, reserve as u128)
        .ok_or_else(|| TYPE_CAST_FAILED.into())
}
