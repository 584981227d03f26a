//! The instructions `migration_damm_v2_create_metadata` and `migration_damm_v2`.

mod accounts;
mod calls;
mod config;
mod damm_v2;
mod pool_fees;
mod positions;
mod shares;

pub use damm_v2::damm_v2;

use crate::keys::EVENT_AUTHORITY;
use sluice_program::{anchor, Account, Result};

/// Does nothing. Earlier versions of the public program created an account here, and clients still call it. Without
/// an event, only the event authority is checked.
pub fn damm_v2_create_metadata(accounts: &[Account]) -> Result {
    let (&[.., event_authority, _], _) = anchor::accounts::<7>(accounts)?;
    if *event_authority.address() == EVENT_AUTHORITY {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of("event_authority"))
    }
}
