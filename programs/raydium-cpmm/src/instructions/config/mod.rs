//! The instructions that create and change configurations.

mod create;
mod update;

pub use create::create;
pub use update::update;

use crate::error::out_of_range;
use crate::keys::FEE_RATE_DENOMINATOR;
use crate::state::config::AmmConfig;

/// Ends the program if the rates would take everything.
fn require_sane(config: &AmmConfig) {
    let below = |limit: u64, a: u64, b: u64| matches!(a.checked_add(b), Some(sum) if sum <= limit);
    if !below(FEE_RATE_DENOMINATOR - 1, config.trade_fee_rate, config.creator_fee_rate) {
        out_of_range("trade and creator fee rate");
    }
    if !below(FEE_RATE_DENOMINATOR, config.protocol_fee_rate, config.fund_fee_rate) {
        out_of_range("protocol and fund fee rate");
    }
    if config.creator_fee_share_rate > FEE_RATE_DENOMINATOR {
        out_of_range("creator fee share rate");
    }
}
