//! The instructions.

pub mod admin;
pub mod borrow;
pub mod payback;

/// Smaller loans are refused.
const MIN_AMOUNT: u64 = 1_000;
