//! One module per kind of instruction. Each checks all its accounts before it does anything, in the order in which the
//! public program does.

pub mod claim;
pub mod liquidity;
mod new_pool;
pub mod parameters;
pub mod pool;
mod pool_accounts;
pub mod position;
pub mod swap;
