//! The instructions.

pub mod close_dca;
pub mod deposit;
pub mod end_and_close;
pub mod fulfill_flash_fill;
pub mod initiate_flash_fill;
pub mod open_dca;
pub mod transfer;
pub mod withdraw;
pub mod withdraw_fees;
