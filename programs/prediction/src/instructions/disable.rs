//! The instructions `disable_deposits` and `disable_withdrawals`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, layout, Account, Result};

use crate::events::emit_config_updated;
use crate::vault::Vault;

/// The keeper or the admin stops purchases. Only the admin permits them again.
pub fn run_deposits(accounts: &[Account]) -> Result {
    let (vault, mut state) = open(accounts)?;
    state.deposits_disabled = true;
    finish(vault, &state)
}

/// The keeper or the admin stops payouts. Only the admin permits them again.
pub fn run_withdrawals(accounts: &[Account]) -> Result {
    let (vault, mut state) = open(accounts)?;
    state.withdrawals_disabled = true;
    finish(vault, &state)
}

#[inline(never)]
fn open<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Vault)> {
    let (accounts, _) = anchor::accounts::<2>(accounts)?;
    let &[authority, vault] = accounts;
    let state = Vault::load(vault)?;
    if *authority.address() == state.admin {
        state.check_admin(authority)?;
    } else {
        state.check_keeper(authority)?;
    }
    Ok((vault, state))
}

#[inline(never)]
fn finish(vault: Account, state: &Vault) -> Result {
    layout::store(state, vault)?;
    emit_config_updated(state, Clock::get()?.unix_timestamp)
}
