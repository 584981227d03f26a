//! The instructions `creator_withdraw_surplus` and `partner_withdraw_surplus`: what the last swap raised above the
//! threshold, less the protocol's share.

use super::quote_withdrawal::{Checked, QuoteWithdrawal};
use crate::error::{require, MATH_OVERFLOW, SURPLUS_HAS_BEEN_WITHDRAW, TYPE_CAST_FAILED, UNAUTHORIZED};
use crate::keys::SURPLUS_PERCENT;
use sluice_program::math::mul_div_floor;
use sluice_program::{anchor, Account, Result};

const CREATOR_EVENT: [u8; 8] = anchor::event("EvtCreatorWithdrawSurplus");
const PARTNER_EVENT: [u8; 8] = anchor::event("EvtPartnerWithdrawSurplus");

/// The shares of a surplus.
struct Shares {
    creator: u64,
    partner: u64,
}

pub fn withdraw_creator(accounts: &[Account]) -> Result {
    let withdrawal = QuoteWithdrawal::of(accounts)?;
    let mut checked = withdrawal.check("creator")?;
    require(*withdrawal.owner() == checked.pool.creator, UNAUTHORIZED)?;
    checked.require_complete()?;
    require(checked.pool.is_creator_withdraw_surplus == 0, SURPLUS_HAS_BEEN_WITHDRAW)?;
    let amount = shares(&checked)?.creator;
    checked.pool.is_creator_withdraw_surplus = 1;
    withdrawal.pay(&checked.pool, amount)?;
    withdrawal.emit(&CREATOR_EVENT, amount, &[])
}

pub fn withdraw_partner(accounts: &[Account]) -> Result {
    let withdrawal = QuoteWithdrawal::of(accounts)?;
    let mut checked = withdrawal.check("fee_claimer")?;
    require(*withdrawal.owner() == checked.config.fee_claimer, UNAUTHORIZED)?;
    checked.require_complete()?;
    require(checked.pool.is_partner_withdraw_surplus == 0, SURPLUS_HAS_BEEN_WITHDRAW)?;
    let amount = shares(&checked)?.partner;
    checked.pool.is_partner_withdraw_surplus = 1;
    withdrawal.pay(&checked.pool, amount)?;
    withdrawal.emit(&PARTNER_EVENT, amount, &[])
}

/// Splits the surplus of a complete curve. The reserve of the curve remains as it was when the curve was sold out.
#[inline(never)]
fn shares(checked: &Checked) -> Result<Shares> {
    let Checked { config, pool } = checked;
    let surplus = pool.reserves[1].checked_sub(config.migration_quote_threshold).ok_or(MATH_OVERFLOW)?;
    let both = mul_div_floor(surplus, SURPLUS_PERCENT, 100).ok_or(TYPE_CAST_FAILED)?;
    let percentage = config.creator_trading_fee_percentage as u64;
    let creator = mul_div_floor(both, percentage, 100).ok_or(TYPE_CAST_FAILED)?;
    let partner = both.checked_sub(creator).ok_or(MATH_OVERFLOW)?;
    Ok(Shares { creator, partner })
}
