//! The program's main account, which owns all vaults.

use crate::error::PROTOCOL_LOCKDOWN;
use crate::keys::PROGRAM;
use sluice_program::{layout, Account, Address, Result};

layout! {
    /// The state of the program.
    #[derive(Clone, Copy)]
    pub struct Liquidity = "Liquidity" {
        pub authority: Address,
        pub revenue_collector: Address,
        /// While this is set, operations and claims are refused.
        pub locked: bool,
        pub bump: u8,
    }
}

impl Liquidity {
    /// Reads the account. Fails with an error of Anchor's unless it is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "liquidity")
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Fails with ProtocolLockdown while the program is locked.
    pub fn check_unlocked(&self) -> Result {
        if self.locked {
            Err(PROTOCOL_LOCKDOWN.of("liquidity"))
        } else {
            Ok(())
        }
    }
}
