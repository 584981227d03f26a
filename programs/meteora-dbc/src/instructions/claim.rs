//! The instructions `claim_trading_fee` and `claim_creator_trading_fee`.

use crate::refused::refuse_named;
use sluice_program::{Account, Result};

pub fn trading_fee(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("claim_trading_fee"))
}

pub fn creator_trading_fee(_: &[Account], _: &[u8]) -> Result {
    Err(refuse_named("claim_creator_trading_fee"))
}
