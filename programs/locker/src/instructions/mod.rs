//! The instructions.

pub mod cancel;
pub mod claim;
pub mod close;
pub mod create;
pub mod create_metadata;
pub mod update_recipient;
