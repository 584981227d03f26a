//! The instruction `stop_rewards`.

use super::Context;
use crate::error::{ALREADY_STOPPED, NEXT_REWARDS_QUEUED};
use sluice_program::anchor;
use sluice_program::{Account, Result};

const STOPPED: [u8; 8] = anchor::event("LogStopRewards");

/// Ends the present rewards in the previous second. Signed by an auth.
pub fn stop(accounts: &[Account]) -> Result {
    let mut context = Context::by_auth(accounts)?;
    if context.has_ended() {
        return Err(ALREADY_STOPPED.into());
    }
    if context.model.has_queued() {
        return Err(NEXT_REWARDS_QUEUED.into());
    }
    context.update_rate()?;
    context.model.duration = context.now.saturating_sub(context.model.start_time).saturating_sub(1);
    context.model.store(context.account)?;
    context.log_event(&STOPPED, &[])
}
