//! An earn token: the deposited token, the receipt token, and the prices.

use crate::keys::{LENDING_SEED, PROGRAM};
use sluice_program::{layout, Account, Address, Result};

layout! {
    /// The state of an earn token.
    #[derive(Clone, Copy)]
    pub struct Lending = "Lending" {
        pub mint: Address,
        pub receipt_mint: Address,
        pub id: u16,
        pub decimals: u8,
        pub rewards: Address,
        /// The liquidity program's supply price at the last update.
        pub liquidity_price: u64,
        /// The assets per share.
        pub token_price: u64,
        pub last_update: u64,
        pub reserve: Address,
        pub position: Address,
        pub bump: u8,
    }
}

impl Lending {
    /// Reads the account. Fails with an error of Anchor's unless it is an earn token.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "lending")
    }

    /// Calls `invoke` with the seeds of the address that signs for the earn token at the liquidity program.
    #[inline(always)]
    pub fn sign(&self, invoke: impl FnOnce(&[&[u8]]) -> Result) -> Result {
        invoke(&[LENDING_SEED, &self.mint.0, &self.receipt_mint.0, &[self.bump]])
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}
