//! The instruction `withdraw_leftover`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn withdraw(_: &[Account]) -> Result {
    Err(refuse_named("withdraw_leftover"))
}
