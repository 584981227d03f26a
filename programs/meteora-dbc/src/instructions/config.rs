//! The instruction `create_config`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn create(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("create_config"))
}
