//! The instruction `queue_next_rewards`.

use super::{begin, numbers, Context};
use crate::error::{INVALID_PARAMS, NEXT_REWARDS_QUEUED, NO_REWARDS_STARTED};
use sluice_program::anchor;
use sluice_program::{Account, Result};

const QUEUED: [u8; 8] = anchor::event("LogQueueNextRewards");

/// Arguments: amount, duration. Queues rewards that follow the present ones; if the present ones have ended, they
/// start at once. Signed by an auth.
pub fn queue(accounts: &[Account], args: &[u8]) -> Result {
    let [amount, duration] = numbers(args)?;
    let mut context = Context::by_auth(accounts)?;
    if amount == 0 || duration == 0 {
        return Err(INVALID_PARAMS.into());
    }
    if context.model.start_time == 0 {
        return Err(NO_REWARDS_STARTED.into());
    }
    if context.model.has_queued() {
        return Err(NEXT_REWARDS_QUEUED.into());
    }
    if context.has_ended() {
        return begin(&mut context, amount, duration, 0);
    }
    context.model.next_duration = duration;
    context.model.next_reward_amount = amount;
    context.model.store(context.account)?;
    context.log_event(&QUEUED, &[amount, duration])
}
