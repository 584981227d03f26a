//! The instruction that sets a protocol's withdrawal limit.

use crate::checks;
use crate::math::{share_of, sub};
use crate::refresh::now;
use sluice_lending::state::SupplyPosition;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateUserWithdrawalLimit");

/// Arguments: the amount that must stay supplied (it is clamped between the limit after full expansion and the whole
/// supply), the protocol, the mint. Signed by an auth. A supply below the base has no limit.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let wanted = decoded(from.u128())?;
    let protocol = decoded(from.address())?;
    let mint = decoded(from.address())?;
    let (&[authority, auth_list, account], _) = anchor::accounts(accounts)?;
    checks::by_auth(authority, auth_list)?;
    let mut position = SupplyPosition::load(account)?;
    anchor::check_writable(account, "user_supply_position")?;
    if position.protocol != protocol || position.mint != mint {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("user_supply_position"));
    }

    let most = position.amount;
    let least = sub(most, share_of(most, position.expand_percent as u64)?)?;
    let limit = if most < position.base_withdrawal_limit {
        0
    } else if wanted > most as u128 {
        most
    } else {
        (wanted as u64).max(least)
    };
    position.withdrawal_limit = limit;
    position.last_update = now()?;
    position.store(account)?;
    event::log(&EVENT, |event| {
        event.address(&protocol)?;
        event.address(&mint)?;
        event.u128(limit as u128)
    })
}
