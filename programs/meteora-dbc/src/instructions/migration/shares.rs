//! The shares of partner and creator in the migrated liquidity.

use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::state::config::PoolConfig;
use crate::state::vesting::LiquidityVesting;
use sluice_program::{wide, Address, Result};

/// The share of one of them.
#[derive(Clone, Copy)]
pub struct Share {
    pub owner: Address,
    pub unlocked: u128,
    pub permanent: u128,
    pub vested: u128,
    pub permanent_percentage: u8,
    pub vesting: LiquidityVesting,
}

/// The shares, the larger one first. The creator's is the first of two equal ones.
#[inline(never)]
pub fn in_order(config: &PoolConfig, creator: &Address, liquidity: u128) -> Result<[Share; 2]> {
    let partner = of_partner(config, liquidity)?;
    let creator = of_creator(config, creator, liquidity, partner.total()?)?;
    Ok(if partner.total()? > creator.total()? { [partner, creator] } else { [creator, partner] })
}

#[inline(never)]
fn of_partner(config: &PoolConfig, liquidity: u128) -> Result<Share> {
    let vesting = config.partner_liquidity_vesting;
    let permanent_percentage = config.partner_permanent_locked_liquidity_percentage;
    Ok(Share {
        owner: config.fee_claimer,
        unlocked: percent(liquidity, config.partner_liquidity_percentage)?,
        permanent: percent(liquidity, permanent_percentage)?,
        vested: percent(liquidity, vesting.percentage)?,
        permanent_percentage,
        vesting,
    })
}

/// The unlocked part of the creator contains what rounding leaves over.
#[inline(always)]
fn of_creator(config: &PoolConfig, owner: &Address, liquidity: u128, of_partner: u128) -> Result<Share> {
    let vesting = config.creator_liquidity_vesting;
    let permanent_percentage = config.creator_permanent_locked_liquidity_percentage;
    let permanent = percent(liquidity, permanent_percentage)?;
    let vested = percent(liquidity, vesting.percentage)?;
    let unlocked = liquidity.checked_sub(of_partner).and_then(|rest| rest.checked_sub(permanent));
    let unlocked = unlocked.and_then(|rest| rest.checked_sub(vested)).ok_or(MATH_OVERFLOW)?;
    Ok(Share { owner: *owner, unlocked, permanent, vested, permanent_percentage, vesting })
}

fn percent(liquidity: u128, percentage: u8) -> Result<u128> {
    wide::mul_div_floor(liquidity, percentage as u128, 100).ok_or_else(|| TYPE_CAST_FAILED.into())
}

impl Share {
    pub fn total(&self) -> Result<u128> {
        let sum = self.unlocked.checked_add(self.permanent).and_then(|sum| sum.checked_add(self.vested));
        sum.ok_or_else(|| MATH_OVERFLOW.into())
    }

    pub fn is_locked(&self) -> bool {
        self.permanent > 0 || self.vested > 0
    }

    /// Makes the share as large as the liquidity that is left for it. Its locked parts change in proportion to each
    /// other.
    #[inline(never)]
    pub fn adjust(&mut self, total: u128) -> Result {
        let vesting = self.vesting.percentage;
        let locked = vesting.checked_add(self.permanent_percentage).ok_or(MATH_OVERFLOW)?;
        if locked == 0 {
            (self.unlocked, self.permanent, self.vested) = (total, 0, 0);
            return Ok(());
        }
        self.unlocked = self.unlocked.min(total);
        let rest = total.checked_sub(self.unlocked).ok_or(MATH_OVERFLOW)?;
        self.vested = wide::mul_div_floor(rest, vesting as u128, locked as u128).ok_or(TYPE_CAST_FAILED)?;
        self.permanent = rest.checked_sub(self.vested).ok_or(MATH_OVERFLOW)?;
        Ok(())
    }
}
