//! The instructions that create configurations and fee tiers.

mod initialize;
mod initialize_fee_tier;

pub use initialize::initialize;
pub use initialize_fee_tier::initialize_fee_tier;
