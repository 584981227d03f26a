//! The instructions that create a pool.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn with_spl_token(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("initialize_virtual_pool_with_spl_token"))
}

pub fn with_token_2022(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("initialize_virtual_pool_with_token2022"))
}
