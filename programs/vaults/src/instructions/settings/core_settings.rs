//! The instruction `update_core_settings`.

use super::{stored, Change};
use crate::events;
use crate::instructions::vault_id;
use crate::state::config::Terms;
use sluice_program::anchor::decoded;
use sluice_program::layout::Field;
use sluice_program::{Account, Result};

/// Arguments: the vault's id, all terms. Signed by an auth.
pub fn core(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let terms = decoded(Terms::read(&mut from))?;
    Change::load(accounts, id)?.store(stored(&terms)?)?;
    events::core_settings(&terms)
}
