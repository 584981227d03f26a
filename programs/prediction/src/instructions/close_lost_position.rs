//! The instruction `close_lost_position`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, layout, Account, Result};

use super::claim_payout::{check_settled, has_won};
use crate::errors::INVALID_MARKET_RESULT;
use crate::events::Settlement;
use crate::position::{check_position, Position};
use crate::vault::Vault;

/// The keeper takes the worthless contracts of a lost position away. Its account stays.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<4>(accounts)?;
    let &[keeper, vault, position, result] = accounts;
    let mut vault_state = Vault::load(vault)?;
    vault_state.check_keeper(keeper)?;
    anchor::check_writable(vault, "vault")?;
    check_position(position, position.address())?;
    let mut state = Position::load(position)?;
    let outcome = check_settled(result, &state, 0)?.outcome;
    if has_won(&state, outcome) != Some(false) {
        return Err(INVALID_MARKET_RESULT.of("market_result"));
    }
    let now = Clock::get()?.unix_timestamp;
    let (contracts, cost, fees) = (state.contracts, state.total_cost, state.fees_paid);
    let removed = state.remove(&mut vault_state, contracts, now)?;
    let realized = state.realize(0, &removed)?;
    layout::store(&vault_state, vault)?;
    layout::store(&state, position)?;
    Settlement {
        address: position.address(),
        owner: &state.owner,
        market_id: &state.market_id,
        is_yes: state.is_yes,
        contracts,
        payout: 0,
        realized,
        by: keeper.address(),
        now,
        overall_fees: fees,
        overall_realized: state.realized_pnl,
        overall_cost: cost,
        outcome,
    }
    .lost()
}
