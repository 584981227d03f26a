//! The instructions `migration_damm_v2_create_metadata` and `migration_damm_v2`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn damm_v2_create_metadata(_: &[Account]) -> Result {
    Err(refuse_named("migration_damm_v2_create_metadata"))
}

pub fn damm_v2(_: &[Account]) -> Result {
    Err(refuse_named("migration_damm_v2"))
}
