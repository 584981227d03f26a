//! The instructions `swap` and `swap2`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn plain(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("swap"))
}

pub fn v2(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("swap2"))
}
