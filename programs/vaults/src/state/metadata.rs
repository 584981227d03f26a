//! What clients need of a vault beside its terms.

use crate::keys::PROGRAM;
use sluice_program::{anchor, layout, Account, Address, Result};

const NAME: &str = "vault_metadata";

layout! {
    #[derive(Clone, Copy)]
    pub struct Metadata = "VaultMetadata" {
        pub vault_id: u16,
        pub lookup_table: Address,
        pub supply_decimals: u8,
        pub borrow_decimals: u8,
    }
}

impl Metadata {
    /// For an account that the instruction changes.
    pub fn load(account: Account) -> Result<Self> {
        let metadata = layout::load_zero_copy(account, &PROGRAM, NAME)?;
        anchor::check_writable(account, NAME)?;
        Ok(metadata)
    }

    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}
