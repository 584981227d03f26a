//! The fields that this program reads from the liquidity program's accounts.

use crate::math::{div, mul, sub, WHOLE};
use sluice_lending::state::{self, BorrowPosition};
use sluice_lending::LIQUIDITY_PROGRAM;
use sluice_program::interest::Accrual;
use sluice_program::{layout, Account, Address, Result};

/// A reserve's mint, and the fields on which its prices depend.
pub struct Reserve {
    pub mint: Address,
    pub accrual: Accrual,
}

impl Reserve {
    /// Reads a reserve. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let reserve: state::Reserve = layout::load_zero_copy(account, &LIQUIDITY_PROGRAM, name)?;
        Ok(Self { mint: reserve.mint, accrual: reserve.accrual() })
    }
}

/// Returns the raw amount that a vault borrowed.
#[inline(never)]
pub fn borrowed(account: Account) -> Result<u64> {
    let name = "vault_borrow_position_on_liquidity";
    let position: BorrowPosition = layout::load_zero_copy(account, &LIQUIDITY_PROGRAM, name)?;
    Ok(position.amount)
}

/// The fields that limit a vault's withdrawals at the liquidity program. Amounts are raw.
pub struct SupplyPosition {
    pub amount: u128,
    withdrawal_limit: u128,
    last_update: u64,
    expand_percent: u16,
    expand_duration: u32,
}

impl SupplyPosition {
    /// Reads a position. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        let name = "vault_supply_position_on_liquidity";
        let position: state::SupplyPosition = layout::load_zero_copy(account, &LIQUIDITY_PROGRAM, name)?;
        Ok(Self {
            amount: position.amount as u128,
            withdrawal_limit: position.withdrawal_limit as u128,
            last_update: position.last_update,
            expand_percent: position.expand_percent,
            expand_duration: position.expand_duration,
        })
    }

    /// Returns the amount that must stay at second `now`, as the liquidity program computes it.
    #[inline(never)]
    pub fn limit_at(&self, now: u64) -> Result<u128> {
        if self.withdrawal_limit == 0 {
            return Ok(0);
        }
        let most = div(mul(self.amount, self.expand_percent as u128)?, WHOLE)?;
        let elapsed = sub(now as u128, self.last_update as u128)?;
        let freed = div(mul(most, elapsed)?, self.expand_duration as u128)?;
        Ok(self.withdrawal_limit.saturating_sub(freed).max(sub(self.amount, most)?))
    }
}
