//! The instructions for tokens that a user claims later.

mod close;
mod create;
mod pay;

pub use close::close;
pub use create::create;
pub use pay::pay;
