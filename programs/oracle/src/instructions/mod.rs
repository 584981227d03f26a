//! One instruction, or one family of instructions with the same accounts, per file.

pub mod admin;
pub mod exchange_rate;
pub mod init_oracle;
