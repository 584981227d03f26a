//! The program's own accounts, beside those that other programs read too.

pub mod auth_list;
pub mod claim;
pub mod liquidity;
pub mod rate_model;
pub mod totals;
