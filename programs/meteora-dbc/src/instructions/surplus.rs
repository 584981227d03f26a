//! The instructions `creator_withdraw_surplus` and `partner_withdraw_surplus`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn withdraw_creator(_: &[Account]) -> Result {
    Err(refuse_named("creator_withdraw_surplus"))
}

pub fn withdraw_partner(_: &[Account]) -> Result {
    Err(refuse_named("partner_withdraw_surplus"))
}
