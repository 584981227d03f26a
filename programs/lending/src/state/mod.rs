//! The program's accounts, and what it reads of other programs' accounts.

pub mod admin;
pub mod lending;
pub mod liquidity;
pub mod rewards;
