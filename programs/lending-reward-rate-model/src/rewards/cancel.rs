//! The instruction `cancel_queued_rewards`.

use super::Context;
use crate::error::{MUST_TRANSITION_TO_NEXT, NO_QUEUED_REWARDS};
use sluice_program::anchor;
use sluice_program::{Account, Result};

const CANCELLED: [u8; 8] = anchor::event("LogCancelQueuedRewards");

/// Removes the queued rewards. Signed by an auth.
pub fn cancel(accounts: &[Account]) -> Result {
    let mut context = Context::by_auth(accounts)?;
    if !context.model.has_queued() {
        return Err(NO_QUEUED_REWARDS.into());
    }
    if context.has_ended() {
        return Err(MUST_TRANSITION_TO_NEXT.into());
    }
    context.model.next_duration = 0;
    context.model.next_reward_amount = 0;
    context.model.store(context.account)?;
    context.log_event(&CANCELLED, &[])
}
