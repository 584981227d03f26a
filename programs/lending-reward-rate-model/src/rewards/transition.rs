//! The instruction `transition_to_next_rewards`.

use super::{yearly, Context};
use crate::error::{NOT_ENDED, NO_QUEUED_REWARDS};
use sluice_program::anchor;
use sluice_program::{Account, Result};

const TRANSITIONED: [u8; 8] = anchor::event("LogTransitionedToNextRewards");

/// Starts the queued rewards at the end of the present ones. Any wallet may send this once the present rewards have
/// ended.
pub fn transition(accounts: &[Account]) -> Result {
    let mut context = Context::load(accounts, None)?;
    if !context.has_ended() {
        return Err(NOT_ENDED.into());
    }
    if !context.model.has_queued() {
        return Err(NO_QUEUED_REWARDS.into());
    }
    context.update_rate()?;
    let model = &mut context.model;
    model.start_time = model.end();
    model.duration = model.next_duration;
    model.yearly_reward = yearly(model.next_reward_amount, model.next_duration)?;
    model.next_duration = 0;
    model.next_reward_amount = 0;
    let times = [model.start_time, model.end()];
    context.model.store(context.account)?;
    context.log_event(&TRANSITIONED, &times)
}
