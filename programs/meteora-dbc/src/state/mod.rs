//! Layouts of the program's accounts. The public program reads them in place, so an account that does not exist fails
//! with the error for a wrong owner.

pub mod config;
pub mod fees;
pub mod pool;
mod stage;
pub mod vesting;
