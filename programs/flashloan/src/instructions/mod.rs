pub mod admin;
pub mod borrow;
pub mod payback;

/// A smaller loan is refused.
const MIN_AMOUNT: u64 = 1_000;
