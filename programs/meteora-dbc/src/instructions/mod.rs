//! The instructions, one file per kind. Each checks all its accounts before anything else, in the order of the public
//! program.

pub mod claim;
pub mod config;
pub mod creator;
pub mod leftover;
pub mod locker;
pub mod migration;
pub mod migration_fee;
pub mod pool;
pub mod surplus;
pub mod swap;
