//! The terms of a vault.

use crate::keys::{CONFIG_SEED, PROGRAM};
use sluice_program::{layout, Account, Address, Result};

layout! {
    /// The terms that an operator sets. Magnifiers, penalty and fee are in 10,000ths, the rest in 1,000ths.
    #[derive(Clone, Copy)]
    pub struct Terms {
        pub supply_rate_magnifier: i16,
        pub borrow_rate_magnifier: i16,
        pub collateral_factor: u16,
        pub liquidation_threshold: u16,
        pub liquidation_max_limit: u16,
        pub withdraw_gap: u16,
        pub liquidation_penalty: u16,
        pub borrow_fee: u8,
    }
}

layout! {
    /// The configuration of a vault.
    #[derive(Clone, Copy)]
    pub struct Config = "VaultConfig" {
        pub vault_id: u16,
        pub terms: Terms,
        /// It is 0 for a vault without a leg at the dex. No other vaults are supported.
        pub vault_type: u8,
        pub oracle: Address,
        pub rebalancer: Address,
        pub liquidity_program: Address,
        pub oracle_program: Address,
        pub supply_token: Address,
        pub borrow_token: Address,
        pub bump: u8,
    }
}

impl Config {
    /// Reads the configuration. Fails with an error of Anchor's unless the account is one.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, "vault_config")
    }

    /// Writes the configuration.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Calls `invoke` with the seeds of the address that signs for the vault at the liquidity program.
    #[inline(always)]
    pub fn sign(&self, invoke: impl FnOnce(&[&[u8]]) -> Result) -> Result {
        invoke(&[CONFIG_SEED, &self.vault_id.to_le_bytes(), &[self.bump]])
    }
}
