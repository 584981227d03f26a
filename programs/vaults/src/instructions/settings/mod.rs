//! The instructions that change a vault's terms. Each change first updates the vault's prices to the present time.

mod borrow_fee;
mod core_settings;
mod rebalancer;
mod single_setting;

pub use borrow_fee::borrow_fee;
pub use core_settings::core;
pub use rebalancer::rebalancer;
pub use single_setting::one;

use crate::checks;
use crate::error::{ADMIN_VALUE_ABOVE_LIMIT, ADMIN_VAULT_ID_MISMATCH};
use crate::prices::{self, Reserves};
use crate::state::admin::Admin;
use crate::state::config::{Config, Terms};
use crate::state::vault::Vault;
use sluice_program::anchor;
use sluice_program::{Account, Result};

const MAX_MAGNIFIER: i16 = 10_000;
const MAX_GAP: u16 = 1_000;
const MAX_PENALTY: u16 = 1_023;

/// The maximum of the liquidation penalty plus the liquidation limit, in 10,000ths. A liquidation must leave a part
/// of the collateral.
const MAX_LIMIT_AND_PENALTY: u32 = 9_970;

/// A single setting, named as its instruction.
#[derive(Clone, Copy)]
pub enum Setting {
    SupplyRateMagnifier,
    BorrowRateMagnifier,
    CollateralFactor,
    LiquidationThreshold,
    LiquidationMaxLimit,
    WithdrawGap,
    LiquidationPenalty,
}

/// Converts terms from the unit of instructions, where factors and gaps are in 10,000ths too, to that of accounts.
/// Fails with VaultAdminValueAboveLimit unless the terms are consistent.
pub fn stored(terms: &Terms) -> Result<Terms> {
    let limits = terms.liquidation_max_limit as u32 + terms.liquidation_penalty as u32;
    let stored = Terms {
        collateral_factor: terms.collateral_factor / 10,
        liquidation_threshold: terms.liquidation_threshold / 10,
        liquidation_max_limit: terms.liquidation_max_limit / 10,
        withdraw_gap: terms.withdraw_gap / 10,
        ..*terms
    };
    let sound = limits <= MAX_LIMIT_AND_PENALTY
        && is_magnifier(stored.supply_rate_magnifier)
        && is_magnifier(stored.borrow_rate_magnifier)
        && stored.collateral_factor < stored.liquidation_threshold
        && stored.liquidation_threshold < stored.liquidation_max_limit
        && stored.withdraw_gap <= MAX_GAP
        && stored.liquidation_penalty <= MAX_PENALTY;
    checks::require(sound, ADMIN_VALUE_ABOVE_LIMIT)?;
    Ok(stored)
}

fn is_magnifier(value: i16) -> bool {
    (-MAX_MAGNIFIER..=MAX_MAGNIFIER).contains(&value)
}

/// The accounts of a change of terms.
struct Change<'a> {
    vault_account: Account<'a>,
    config_account: Account<'a>,
    vault: Vault,
    config: Config,
    reserves: Reserves,
}

impl<'a> Change<'a> {
    #[inline(never)]
    fn load(accounts: &[Account<'a>], id: u16) -> Result<Self> {
        let (&[authority, admin, vault_account, config_account, supply, borrow], _) =
            anchor::accounts(accounts)?;
        Admin::load(admin)?.check_auth(authority)?;
        let vault = Vault::load_writable(vault_account)?;
        let config = Config::load(config_account)?;
        anchor::check_writable(config_account, "vault_config")?;
        checks::require(id == config.vault_id && id == vault.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
        let reserves = checks::reserves(&config, supply, borrow)?;
        Ok(Self { vault_account, config_account, vault, config, reserves })
    }

    /// Updates the prices to the present time at the old terms, then stores the new ones.
    #[inline(never)]
    fn store(&mut self, terms: Terms) -> Result {
        prices::update(&mut self.vault, &self.config, &self.reserves)?;
        self.vault.store(self.vault_account)?;
        self.config.terms = terms;
        self.config.store(self.config_account)
    }
}
