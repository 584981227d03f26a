//! The instruction `withdraw_migration_fee`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn withdraw(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("withdraw_migration_fee"))
}
