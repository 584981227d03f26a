//! The instruction that configures a token.

use crate::error::{INVALID_CONFIG_ORDER, INVALID_PARAMS};
use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::math::{narrow_u16, WHOLE};
use crate::refresh::{accrue, now, refresh};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateTokenConfigs");

/// Arguments: the mint, the fee on interest, and the maximum utilization at which borrowing is allowed. Signed by an
/// auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let mint = decoded(from.address())?;
    let fee = decoded(from.u128())?;
    let max_utilization = decoded(from.u128())?;
    let mut context = ReserveAccounts::by_auth(accounts)?;
    let whole = WHOLE as u128;
    if context.rates.version == 0 {
        return Err(INVALID_CONFIG_ORDER.into());
    }
    if mint != context.reserve.mint || fee > whole || max_utilization > whole || max_utilization == 0 {
        return Err(INVALID_PARAMS.into());
    }
    let now = now()?;
    accrue(&mut context.reserve, now)?;
    context.reserve.fee_on_interest = narrow_u16(fee)?;
    context.reserve.max_utilization = narrow_u16(max_utilization)?;
    refresh(&mut context.reserve, &context.rates, now)?;
    context.reserve.store(context.account)?;
    event::log(&EVENT, |event| event.bytes(args))
}
