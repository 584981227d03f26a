//! The instructions that create tick arrays.

mod initialize;
mod initialize_dynamic;

pub use initialize::initialize;
pub use initialize_dynamic::initialize_dynamic;
