//! The instructions.

mod create;
mod execute;

pub use create::create;
pub use execute::execute;
