//! The instructions.

pub mod cancel_order;
pub mod flash_fill_order;
pub mod initialize_order;
pub mod pre_flash_fill_order;
pub mod update_fee;
pub mod withdraw_fee;
