//! Fees. A rate is in billionths.

pub mod dynamic;
mod schedule;

pub use schedule::Schedule;

/// The whole in basis points.
const BPS: u64 = 10_000;
