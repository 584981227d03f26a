//! Records the address of a vault's lookup table.

use crate::checks;
use crate::error::{ADMIN_INVALID_PARAMS, ADMIN_VAULT_ID_MISMATCH};
use crate::events;
use crate::instructions::vault_id;
use crate::state::admin::Admin;
use crate::state::metadata::Metadata;
use sluice_program::anchor::{self, decoded};
use sluice_program::{Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateLookupTable");

/// Arguments: the vault's id, the address of its lookup table. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let table = decoded(from.address())?;
    let (&[authority, admin, account], _) = anchor::accounts(accounts)?;
    Admin::load(admin)?.check_auth(authority)?;
    let mut metadata = Metadata::load(account)?;
    checks::require(id == metadata.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    checks::require(table != Address::ZERO && table != metadata.lookup_table, ADMIN_INVALID_PARAMS)?;
    metadata.lookup_table = table;
    metadata.store(account)?;
    events::address(&EVENT, &table)
}
