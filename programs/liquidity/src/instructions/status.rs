//! The instruction that locks and unlocks the program.

use crate::checks;
use crate::error::STATUS_ALREADY_SET;
use crate::state::liquidity::Liquidity;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogChangeStatus");

/// Argument: whether all operations are locked. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let locked = decoded(Reader::new(args).bool())?;
    let (&[authority, liquidity, auth_list], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let mut state = Liquidity::load(liquidity)?;
    checks::by_auth(authority, auth_list)?;
    anchor::check_writable(liquidity, "liquidity")?;
    if state.locked == locked {
        return Err(STATUS_ALREADY_SET.into());
    }
    state.locked = locked;
    state.store(liquidity)?;
    event::log(&EVENT, |event| event.u8(locked as u8))
}
