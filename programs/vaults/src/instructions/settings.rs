//! The instructions that change a vault's terms. Each change first updates the vault's prices to the present time.

use crate::checks;
use crate::error::{ADMIN_ADDRESS_ZERO_NOT_ALLOWED, ADMIN_VALUE_ABOVE_LIMIT, ADMIN_VAULT_ID_MISMATCH};
use crate::events;
use crate::instructions::vault_id;
use crate::prices::{self, Reserves};
use crate::state::admin::Admin;
use crate::state::config::{Config, Terms};
use crate::state::vault::Vault;
use sluice_program::anchor::{self, decoded};
use sluice_program::layout::Field;
use sluice_program::{event, Account, Address, Result};

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

/// Arguments: the vault's id, all terms. Signed by an auth.
pub fn core(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let terms = decoded(Terms::read(&mut from))?;
    Change::load(accounts, id)?.store(stored(&terms)?)?;
    events::core_settings(&terms)
}

/// Arguments: the vault's id, one setting. Signed by an auth.
pub fn one(setting: Setting, accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let value = decoded(from.u16())?;
    let mut change = Change::load(accounts, id)?;
    let mut terms = change.config.terms;
    set(&mut terms, setting, value)?;
    change.store(terms)?;
    // The event repeats the stored value in the unit of the instruction.
    let stored = match setting {
        Setting::CollateralFactor
        | Setting::LiquidationThreshold
        | Setting::LiquidationMaxLimit
        | Setting::WithdrawGap => value - value % 10,
        _ => value,
    };
    event::log(&tag(setting), |event| event.u16(stored))
}

/// Fails with VaultAdminValueAboveLimit if the value is inconsistent with the other terms.
fn set(terms: &mut Terms, setting: Setting, value: u16) -> Result {
    let tenth = value / 10;
    let sound = match setting {
        Setting::SupplyRateMagnifier => {
            terms.supply_rate_magnifier = value as i16;
            is_magnifier(value as i16)
        }
        Setting::BorrowRateMagnifier => {
            terms.borrow_rate_magnifier = value as i16;
            is_magnifier(value as i16)
        }
        Setting::CollateralFactor => {
            terms.collateral_factor = tenth;
            tenth < terms.liquidation_threshold
        }
        Setting::LiquidationThreshold => {
            terms.liquidation_threshold = tenth;
            terms.collateral_factor < tenth && tenth < terms.liquidation_max_limit
        }
        Setting::LiquidationMaxLimit => {
            terms.liquidation_max_limit = tenth;
            let together = value as u32 + terms.liquidation_penalty as u32;
            together <= MAX_LIMIT_AND_PENALTY && terms.liquidation_threshold < tenth
        }
        Setting::WithdrawGap => {
            terms.withdraw_gap = tenth;
            tenth <= MAX_GAP
        }
        Setting::LiquidationPenalty => {
            terms.liquidation_penalty = value;
            let together = terms.liquidation_max_limit as u32 * 10 + value as u32;
            together <= MAX_LIMIT_AND_PENALTY && value <= MAX_PENALTY
        }
    };
    checks::require(sound, ADMIN_VALUE_ABOVE_LIMIT)
}

fn tag(setting: Setting) -> [u8; 8] {
    match setting {
        Setting::SupplyRateMagnifier => const { anchor::event("LogUpdateSupplyRateMagnifier") },
        Setting::BorrowRateMagnifier => const { anchor::event("LogUpdateBorrowRateMagnifier") },
        Setting::CollateralFactor => const { anchor::event("LogUpdateCollateralFactor") },
        Setting::LiquidationThreshold => const { anchor::event("LogUpdateLiquidationThreshold") },
        Setting::LiquidationMaxLimit => const { anchor::event("LogUpdateLiquidationMaxLimit") },
        Setting::WithdrawGap => const { anchor::event("LogUpdateWithdrawGap") },
        Setting::LiquidationPenalty => const { anchor::event("LogUpdateLiquidationPenalty") },
    }
}

const BORROW_FEE: [u8; 8] = anchor::event("LogUpdateBorrowFee");
const REBALANCER: [u8; 8] = anchor::event("LogUpdateRebalancer");

/// Arguments: the vault's id, the fee in 10,000ths. Signed by an auth.
pub fn borrow_fee(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let fee = decoded(from.u8())?;
    let mut change = Change::load(accounts, id)?;
    let terms = Terms { borrow_fee: fee, ..change.config.terms };
    change.store(terms)?;
    event::log(&BORROW_FEE, |event| event.u8(fee))
}

/// Arguments: the vault's id, the new rebalancer. Signed by an auth.
pub fn rebalancer(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let rebalancer = decoded(from.address())?;
    let mut change = Change::load(accounts, id)?;
    checks::require(rebalancer != Address::ZERO, ADMIN_ADDRESS_ZERO_NOT_ALLOWED)?;
    change.config.rebalancer = rebalancer;
    let terms = change.config.terms;
    change.store(terms)?;
    events::address(&REBALANCER, &rebalancer)
}
