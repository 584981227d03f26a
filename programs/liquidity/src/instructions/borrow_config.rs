//! The instruction that configures a protocol's borrow position.

use crate::checks;
use crate::error::{INVALID_PARAMS, LIMITS_CANNOT_BE_ZERO};
use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::instructions::supply_config::MAX_DURATION;
use crate::math::{narrow, raw_ceil, raw_floor, worth, worth_ceil};
use crate::refresh::{accrue, now, refresh};
use crate::state::totals::Totals;
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::{ACTIVE, UNCONFIGURED};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, token, wide, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateUserBorrowConfigs");
/// The maximum that fits 14 bits.
const MAX_EXPAND_PERCENT: u128 = (1 << 14) - 1;
/// The maximum debt ceiling, as a multiple of the mint's supply.
const MAX_SUPPLIES: u128 = 10;

struct Config {
    mode: u8,
    expand_percent: u128,
    expand_duration: u128,
    base_debt_ceiling: u128,
    max_debt_ceiling: u128,
}

impl Config {
    fn decode(args: &[u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        Some(Self {
            mode: from.u8()?,
            expand_percent: from.u128()?,
            expand_duration: from.u128()?,
            base_debt_ceiling: from.u128()?,
            max_debt_ceiling: from.u128()?,
        })
    }

    /// Checks the arguments. If the mint has no supply, as that of wrapped SOL, the ceilings have no maximum.
    fn check(&self, mint_supply: Option<u64>) -> Result {
        let most = match mint_supply {
            Some(supply) => wide::checked_mul(supply as u128, MAX_SUPPLIES).unwrap_or(u128::MAX),
            None => u128::MAX,
        };
        let valid = self.mode <= 1
            && self.expand_percent <= MAX_EXPAND_PERCENT
            && self.expand_duration != 0
            && self.expand_duration <= MAX_DURATION
            && self.base_debt_ceiling <= self.max_debt_ceiling
            && self.max_debt_ceiling <= most;
        if !valid {
            return Err(INVALID_PARAMS.into());
        }
        if self.base_debt_ceiling == 0 || self.max_debt_ceiling == 0 {
            return Err(LIMITS_CANNOT_BE_ZERO.into());
        }
        Ok(())
    }
}

/// Arguments: the mode (1 pays interest), the percentage and duration of the debt ceiling's expansion, and its base
/// and maximum. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let config = decoded(Config::decode(args))?;
    let (&[authority, protocol, auth_list, rate_model, mint, reserve, account], _) =
        anchor::accounts(accounts)?;
    checks::by_auth(authority, auth_list)?;
    let mut context = ReserveAccounts::load(rate_model, mint, reserve)?;
    let mut position = BorrowPosition::load(account)?;
    anchor::check_writable(account, "user_borrow_position")?;
    checks::has_one(&position.protocol, protocol, "user_borrow_position")?;
    checks::has_one(&position.mint, mint, "user_borrow_position")?;
    // The mint of wrapped SOL does not count its tokens.
    let is_native = *mint.address() == token::NATIVE_MINT;
    config.check(if is_native { None } else { Some(context.mint.supply) })?;

    let with_interest = config.mode == 1;
    if with_interest != position.with_interest && position.status != UNCONFIGURED {
        change_mode(&mut context, &mut position)?;
    }
    position.with_interest = with_interest;
    position.expand_percent = config.expand_percent as u16;
    position.expand_duration = config.expand_duration as u32;
    position.base_debt_ceiling = narrow(config.base_debt_ceiling)?;
    position.max_debt_ceiling = narrow(config.max_debt_ceiling)?;
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

/// Converts a debt between raw amounts and amounts without interest, rounded up.
#[inline(never)]
fn change_mode(context: &mut ReserveAccounts, position: &mut BorrowPosition) -> Result {
    let now = now()?;
    let price = accrue(&mut context.reserve, now)?.borrow;
    let (amount, ceiling) = if position.with_interest {
        (worth_ceil(position.amount, price)?, worth(position.debt_ceiling, price)?)
    } else {
        (raw_ceil(position.amount, price)?, raw_floor(position.debt_ceiling, price)?)
    };
    context.reserve.subtract_borrow(position.with_interest, position.amount)?;
    context.reserve.add_borrow(!position.with_interest, amount)?;
    (position.amount, position.debt_ceiling) = (amount, ceiling);
    refresh(&mut context.reserve, &context.rates, now)?;
    context.reserve.store(context.account)
}
