//! The instructions that change the authority and the revenue collector.

mod update;
mod update_collector;

pub use update::update;
pub use update_collector::update_collector;
