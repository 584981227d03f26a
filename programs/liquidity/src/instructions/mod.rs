//! The instructions. Each file has one instruction, or a family of instructions with the same accounts.

pub mod authority;
pub mod borrow_config;
pub mod claim;
pub mod exchange_price;
pub mod init_liquidity;
pub mod init_protocol;
pub mod init_reserve;
pub mod members;
pub mod operate;
pub mod pause;
pub mod payout;
pub mod pre_operate;
pub mod rates;
pub mod reserve_accounts;
pub mod revenue;
pub mod status;
pub mod supply_config;
pub mod token_config;
pub mod withdrawal_limit;
