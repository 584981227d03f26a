//! The one account that owns all vaults.

use crate::error::PROTOCOL_LOCKDOWN;
use crate::keys::PROGRAM;
use sluice_program::{layout, Account, Address, Result};

layout! {
    #[derive(Clone, Copy)]
    pub struct Liquidity = "Liquidity" {
        pub authority: Address,
        pub revenue_collector: Address,
        /// While set, nothing can be operated or claimed.
        pub locked: bool,
        pub bump: u8,
    }
}

impl Liquidity {
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "liquidity")
    }

    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    pub fn check_unlocked(&self) -> Result {
        if self.locked {
            Err(PROTOCOL_LOCKDOWN.of("liquidity"))
        } else {
            Ok(())
        }
    }
}
