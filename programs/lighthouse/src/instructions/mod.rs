//! The instructions.

mod assert_account_info;

pub use assert_account_info::assert_account_info;
