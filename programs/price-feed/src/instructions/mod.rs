//! The instructions.

pub mod write_prices;
pub mod write_walk;
