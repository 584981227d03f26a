//! The instruction `transfer_pool_creator`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn transfer(_: &[Account]) -> Result {
    Err(refuse_named("transfer_pool_creator"))
}
