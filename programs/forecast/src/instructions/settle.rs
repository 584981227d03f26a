//! The instruction `settle`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, layout, Account, Result};

use crate::errors::{INVALID_FEED, NOT_FIRST_UPDATE, ROUND_NOT_OVER, ROUND_OVER};
use crate::events::emit_settled;
use crate::feed::FeedPrice;
use crate::round::{Round, DOWN, UP};
use crate::vault::Vault;

/// How long after the close a round can get its result, in seconds. From then on it is void.
pub const PATIENCE: i64 = 600;

/// Anybody gives a round its result, by the feed's first update at or after the close. The update may stand in another account
/// than the feed, where somebody has posted it: whoever posts later ones to the feed does not keep a round from its result.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<6>(accounts)?;
    let &[round, posted, vault, reserve, token_program, feed] = accounts;
    let mut state = Round::load(round)?;
    let vault = Vault::open(round, vault, token_program)?;
    let now = Clock::get()?.unix_timestamp;
    state.check_open()?;
    check_time(&state, now)?;
    if state.feed != *feed.address() {
        return Err(INVALID_FEED.of("feed"));
    }
    let update = FeedPrice::load(posted, now)?;
    update.check_same(feed)?;
    update.check_exponent(state.exponent)?;
    if update.published < state.close_time || update.previously_published >= state.close_time {
        return Err(NOT_FIRST_UPDATE.of("update"));
    }
    state.close_price = update.price;
    state.status = if update.price >= state.open_price { UP } else { DOWN };
    finish(&mut state, &vault, reserve, now)
}

fn check_time(state: &Round, now: i64) -> Result {
    if now < state.close_time {
        return Err(ROUND_NOT_OVER.of("round"));
    }
    if now >= state.close_time.saturating_add(PATIENCE) {
        return Err(ROUND_OVER.of("round"));
    }
    Ok(())
}

/// Returns to the reserve what holders cannot be paid, and stores the round.
#[inline(never)]
pub fn finish(state: &mut Round, vault: &Vault, reserve: Account, now: i64) -> Result {
    state.settled_at = now;
    let returned = vault.return_rest(state, reserve, state.compute_payouts()?)?;
    layout::store(state, vault.round)?;
    emit_settled(vault.round.address(), state, returned)
}
