//! The program's own accounts. Those that other programs read too are in `lending-base`.

pub mod auth_list;
pub mod claim;
pub mod liquidity;
pub mod rate_model;
pub mod totals;
