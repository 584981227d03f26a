//! The seven instructions that change a single setting.

use super::{is_magnifier, Change, Setting, MAX_GAP, MAX_LIMIT_AND_PENALTY, MAX_PENALTY};
use crate::checks;
use crate::error::ADMIN_VALUE_ABOVE_LIMIT;
use crate::instructions::vault_id;
use crate::state::config::Terms;
use sluice_program::anchor::{self, decoded};
use sluice_program::{event, Account, Result};

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
