//! The instructions.

pub mod close_round;
pub mod open_round;
pub mod pay_out;
pub mod set_schedules;
pub mod settle;
pub mod swap;
pub mod void;
pub mod withdraw;
