//! The instruction `create_locker`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn create(_: &[Account]) -> Result {
    Err(refuse_named("create_locker"))
}
