//! The instructions.

mod assert_account_data;
mod assert_account_info;

pub use assert_account_data::assert_account_data;
pub use assert_account_info::assert_account_info;
