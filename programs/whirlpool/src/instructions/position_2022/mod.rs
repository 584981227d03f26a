//! Positions whose token is one of Token-2022. The position itself may freeze and close the token, which may have
//! metadata.

mod close;
mod open;

pub use close::close;
pub use open::open;
