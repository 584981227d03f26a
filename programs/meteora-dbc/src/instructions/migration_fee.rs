//! The instruction `withdraw_migration_fee`: the part of the raised amount that is not migrated.

use super::config::amounts::migration_quote_amount;
use super::quote_withdrawal::QuoteWithdrawal;
use crate::error::{
    require, MATH_OVERFLOW, MIGRATION_FEE_HAS_BEEN_WITHDRAW, NOT_PERMIT_TO_DO_THIS_ACTION, TYPE_CAST_FAILED,
};
use crate::state::config::PoolConfig;
use sluice_program::math::mul_div_floor;
use sluice_program::{anchor, Account, Result};

const EVENT: [u8; 8] = anchor::event("EvtWithdrawMigrationFee");
const PARTNER: u8 = 0;
const CREATOR: u8 = 1;
/// The bits of the pool's status of withdrawals.
const CREATOR_BIT: u8 = 0b010;
const PARTNER_BIT: u8 = 0b100;

/// The shares of the migration fee.
struct Shares {
    creator: u64,
    partner: u64,
}

/// Arguments: whose share it is, 0 for the partner's and 1 for the creator's.
pub fn withdraw(accounts: &[Account], args: &[u8]) -> Result {
    let side = *anchor::decoded(args.first())?;
    let withdrawal = QuoteWithdrawal::of(accounts)?;
    let mut checked = withdrawal.check("sender")?;
    checked.require_complete()?;
    let shares = shares(&checked.config)?;
    let (owner, bit, amount) = match side {
        PARTNER => (&checked.config.fee_claimer, PARTNER_BIT, shares.partner),
        CREATOR => (&checked.pool.creator, CREATOR_BIT, shares.creator),
        _ => return Err(TYPE_CAST_FAILED.into()),
    };
    require(withdrawal.owner() == owner, NOT_PERMIT_TO_DO_THIS_ACTION)?;
    let status = checked.pool.migration_fee_withdraw_status;
    require(status & bit == 0, MIGRATION_FEE_HAS_BEEN_WITHDRAW)?;
    checked.pool.migration_fee_withdraw_status = status | bit;
    withdrawal.pay(&checked.pool, amount)?;
    withdrawal.emit(&EVENT, amount, &[side])
}

#[inline(never)]
fn shares(config: &PoolConfig) -> Result<Shares> {
    let threshold = config.migration_quote_threshold;
    let migrated = migration_quote_amount(threshold, config.migration_fee_percentage)?;
    let fee = threshold.checked_sub(migrated).ok_or(MATH_OVERFLOW)?;
    let percentage = config.creator_migration_fee_percentage as u64;
    let creator = mul_div_floor(fee, percentage, 100).ok_or(TYPE_CAST_FAILED)?;
    let partner = fee.checked_sub(creator).ok_or(MATH_OVERFLOW)?;
    Ok(Shares { creator, partner })
}
