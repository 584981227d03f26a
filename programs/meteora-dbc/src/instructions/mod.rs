//! The instructions, one file per kind. Each checks all its accounts before anything else, in the order of the public
//! program.

pub mod claim;
pub mod config;
pub mod creator;
mod flash_rent;
pub mod leftover;
pub mod locker;
pub mod migration;
pub mod migration_fee;
pub mod pool;
mod quote_withdrawal;
pub mod surplus;
pub mod swap;
