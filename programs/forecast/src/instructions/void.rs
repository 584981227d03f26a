//! The instruction `void`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

use super::settle::{finish, PATIENCE};
use crate::errors::ROUND_NOT_VOID;
use crate::round::{Round, VOID};
use crate::vault::Vault;

/// Anybody ends a round that has got no result in time. Each token of both sides then pays half a dollar.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<4>(accounts)?;
    let &[round, vault, reserve, token_program] = accounts;
    let mut state = Round::load(round)?;
    let vault = Vault::open(round, vault, token_program)?;
    let now = Clock::get()?.unix_timestamp;
    state.check_open()?;
    if now < state.close_time.saturating_add(PATIENCE) {
        return Err(ROUND_NOT_VOID.of("round"));
    }
    state.status = VOID;
    finish(&mut state, &vault, reserve, now)
}
