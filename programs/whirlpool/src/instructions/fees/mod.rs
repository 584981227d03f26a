//! The instructions that update and pay out a position's fees.

mod collect;
mod collect_v2;
mod update;

pub use collect::collect;
pub use collect_v2::collect_v2;
pub use update::update;

use crate::state::position::Position;
use sluice_program::anchor;
use sluice_program::{Account, Result};

/// Returns the recorded fees and sets them to zero.
fn taken(position: &mut Position, account: Account) -> Result<[u64; 2]> {
    let amounts = position.fees.map(|fees| fees.amount);
    for fees in &mut position.fees {
        fees.amount = 0;
    }
    position.save(account)?;
    Ok(amounts)
}

/// Checks that the position belongs to the pool.
pub fn check_position(position: &Position, pool: Account) -> Result {
    if position.pool == *pool.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("position"))
    }
}
