//! The instructions. Each file has one instruction, or a family of instructions with the same accounts.

pub mod admin;
pub mod exchange_rate;
pub mod init_oracle;
