//! The program's accounts, and the parts of other programs' accounts that it reads.

pub mod admin;
pub mod lending;
pub mod liquidity;
pub mod rewards;
