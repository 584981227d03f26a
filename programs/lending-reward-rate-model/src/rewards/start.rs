//! The instruction `start_rewards`.

use super::{begin, numbers, Context};
use crate::error::{INVALID_PARAMS, MUST_TRANSITION_TO_NEXT, NOT_ENDED};
use sluice_program::{Account, Result};

/// Arguments: amount, duration, start (zero means now), and the total value above which the rewards are thinned out.
/// Signed by an auth.
pub fn start(accounts: &[Account], args: &[u8]) -> Result {
    let [amount, duration, start_time, start_tvl] = numbers(args)?;
    let mut context = Context::by_auth(accounts)?;
    if amount == 0 || duration == 0 {
        return Err(INVALID_PARAMS.into());
    }
    if !context.has_ended() {
        return Err(NOT_ENDED.into());
    }
    if context.model.has_queued() {
        return Err(MUST_TRANSITION_TO_NEXT.into());
    }
    context.model.start_tvl = start_tvl;
    begin(&mut context, amount, duration, start_time)
}
