//! The instructions, one file per kind. Each checks all its accounts before anything else, in the order of the public
//! program.

pub mod claim;
pub mod liquidity;
pub mod lock;
mod new_pool;
pub mod parameters;
pub mod pool;
mod pool_accounts;
pub mod position;
pub mod swap;
