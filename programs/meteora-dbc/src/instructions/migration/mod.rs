//! The instructions `migration_damm_v2_create_metadata` and `migration_damm_v2`.

mod accounts;
mod calls;
mod config;
mod damm_v2;
mod pool_fees;
mod positions;
mod shares;

pub use damm_v2::damm_v2;

use crate::events;
use sluice_program::{anchor, Account, Result};

/// Does nothing. Earlier versions of the public program created an account here, and clients still call it.
pub fn damm_v2_create_metadata(accounts: &[Account]) -> Result {
    let (&[.., event_authority, program], _) = anchor::accounts::<7>(accounts)?;
    events::check_accounts(event_authority, program)
}
