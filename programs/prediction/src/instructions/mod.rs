//! The instructions.

pub mod cancel_order;
pub mod claim_payout;
pub mod close_lost_position;
pub mod close_order;
pub mod close_position;
pub mod create_market_result;
pub mod create_order;
pub mod disable;
pub mod fill_buy_order;
pub mod fill_sell_order;
pub mod initialize_vault;
pub mod set_vault_config;
pub mod withdraw;

mod end;
mod fill;
