//! The instructions.

pub mod claim;
pub mod clawback;
pub mod create;
pub mod expire;
