//! The facts about a vault that clients need and that are not among its terms.

use crate::keys::PROGRAM;
use sluice_program::{anchor, layout, Account, Address, Result};

const NAME: &str = "vault_metadata";

layout! {
    /// The metadata of a vault.
    #[derive(Clone, Copy)]
    pub struct Metadata = "VaultMetadata" {
        pub vault_id: u16,
        pub lookup_table: Address,
        pub supply_decimals: u8,
        pub borrow_decimals: u8,
    }
}

impl Metadata {
    /// Reads the metadata for changing it. Fails with an error of Anchor's unless the account is writable metadata.
    pub fn load(account: Account) -> Result<Self> {
        let metadata = layout::load_zero_copy(account, &PROGRAM, NAME)?;
        anchor::check_writable(account, NAME)?;
        Ok(metadata)
    }

    /// Writes the metadata.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}
