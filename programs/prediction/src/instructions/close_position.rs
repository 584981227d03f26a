//! The instruction `close_position`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

use crate::errors::{INVALID_POSITION, INVALID_POSITION_OWNER, POSITION_NOT_CLOSABLE};
use crate::events::emit_position_closed;
use crate::position::{check_position, Position};
use crate::vault::Vault;

/// The keeper closes the account of a position that has neither contracts nor open orders. The rent goes to whoever paid
/// it.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<5>(accounts)?;
    let &[keeper, owner, position, rent_destination, vault] = accounts;
    Vault::load(vault)?.check_keeper(keeper)?;
    check_position(position, position.address())?;
    anchor::check_writable(rent_destination, "rent_destination")?;
    let state = Position::load(position)?;
    if state.owner != *owner.address() {
        return Err(INVALID_POSITION_OWNER.of("owner"));
    }
    if state.payer != *rent_destination.address() {
        return Err(INVALID_POSITION.of("rent_destination"));
    }
    if state.contracts > 0 || state.open_orders > 0 {
        return Err(POSITION_NOT_CLOSABLE.of("position"));
    }
    emit_position_closed(position.address(), &state, keeper.address(), Clock::get()?.unix_timestamp)?;
    position.close(rent_destination)
}
