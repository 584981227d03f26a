//! The instruction that configures a protocol's supply position.

use crate::checks;
use crate::error::INVALID_PARAMS;
use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::math::{narrow, raw_floor, worth, WHOLE};
use crate::refresh::{accrue, now, refresh};
use crate::state::totals::Totals;
use sluice_lending::state::SupplyPosition;
use sluice_lending::state::{ACTIVE, UNCONFIGURED};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateUserSupplyConfigs");
/// The maximum that fits 24 bits.
pub const MAX_DURATION: u128 = (1 << 24) - 1;

struct Config {
    mode: u8,
    expand_percent: u128,
    expand_duration: u128,
    base_withdrawal_limit: u128,
}

impl Config {
    fn decode(args: &[u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        Some(Self {
            mode: from.u8()?,
            expand_percent: from.u128()?,
            expand_duration: from.u128()?,
            base_withdrawal_limit: from.u128()?,
        })
    }

    fn check(&self) -> Result {
        let valid = self.mode <= 1
            && self.expand_percent <= WHOLE as u128
            && self.expand_duration != 0
            && self.expand_duration <= MAX_DURATION
            && self.base_withdrawal_limit != 0;
        if valid {
            Ok(())
        } else {
            Err(INVALID_PARAMS.into())
        }
    }
}

/// Arguments: the mode (1 earns interest), the percentage and duration of the withdrawal limit's expansion, and the
/// supply up to which there is no limit. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let config = decoded(Config::decode(args))?;
    let (&[authority, protocol, auth_list, rate_model, mint, reserve, account], _) =
        anchor::accounts(accounts)?;
    checks::by_auth(authority, auth_list)?;
    let mut context = ReserveAccounts::load(rate_model, mint, reserve)?;
    let mut position = SupplyPosition::load(account)?;
    anchor::check_writable(account, "user_supply_position")?;
    checks::has_one(&position.protocol, protocol, "user_supply_position")?;
    checks::has_one(&position.mint, mint, "user_supply_position")?;
    config.check()?;

    let with_interest = config.mode == 1;
    if with_interest != position.with_interest && position.status != UNCONFIGURED {
        change_mode(&mut context, &mut position)?;
    }
    position.with_interest = with_interest;
    position.expand_percent = config.expand_percent as u16;
    position.expand_duration = config.expand_duration as u32;
    position.base_withdrawal_limit = narrow(config.base_withdrawal_limit)?;
    if position.status == UNCONFIGURED {
        position.status = ACTIVE;
    }
    position.store(account)?;
    event::log(&EVENT, |event| {
        event.address(&position.protocol)?;
        event.address(&position.mint)?;
        event.bytes(args)
    })
}

/// Converts a supply between raw amounts and amounts without interest.
#[inline(never)]
fn change_mode(context: &mut ReserveAccounts, position: &mut SupplyPosition) -> Result {
    let now = now()?;
    let price = accrue(&mut context.reserve, now)?.supply;
    let convert =
        |amount| if position.with_interest { worth(amount, price) } else { raw_floor(amount, price) };
    let (amount, limit) = (convert(position.amount)?, convert(position.withdrawal_limit)?);
    context.reserve.subtract_supply(position.with_interest, position.amount)?;
    context.reserve.add_supply(!position.with_interest, amount)?;
    (position.amount, position.withdrawal_limit) = (amount, limit);
    refresh(&mut context.reserve, &context.rates, now)?;
    context.reserve.store(context.account)
}
