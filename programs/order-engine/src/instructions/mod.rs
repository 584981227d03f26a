//! The instructions.

mod fill;

pub use fill::fill;
