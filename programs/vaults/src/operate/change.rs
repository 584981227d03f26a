//! The change of a position: from the requested amounts to its new raw amounts, with their rounding.

use crate::error::{
    EXCESS_COLLATERAL_WITHDRAWAL, EXCESS_DEBT_PAYBACK, INVALID_OPERATE_AMOUNT, USER_COLLATERAL_DEBT_EXCEED,
};
use crate::math::amount::Scale;
use crate::math::{add, div, div_up, mul, signed, sub, PRICE_ONE, WHOLE};
use crate::state::position::Holding;
use sluice_program::Result;

/// The request for all collateral, or for all debt.
pub const ALL: i128 = i128::MIN;

/// Signed amounts: a deposit or a borrowed amount is positive, a withdrawal or a repayment negative.
#[derive(Clone, Copy)]
pub struct Change {
    pub col: i128,
    pub debt: i128,
}

impl Change {
    /// Returns whether the change takes something out, which only the owner may do.
    pub fn takes(&self) -> bool {
        self.col < 0 || self.debt > 0
    }

    /// Fails with VaultInvalidOperateAmount if nothing is requested or an amount is out of bounds.
    #[inline(always)]
    pub fn check(&self, supply: &Scale, borrow: &Scale) -> Result {
        let sound = |amount: i128, scale: &Scale| {
            let size = amount.unsigned_abs();
            amount == 0 || amount == ALL || (size >= scale.min_operation() && size <= i64::MAX as u128)
        };
        let nothing = self.col == 0 && self.debt == 0;
        if nothing || !sound(self.col, supply) || !sound(self.debt, borrow) {
            return Err(INVALID_OPERATE_AMOUNT.into());
        }
        Ok(())
    }

    /// Converts the amounts to units of nine decimals. [`ALL`] stays as it is.
    #[inline(always)]
    pub fn scaled(&self, supply: &Scale, borrow: &Scale) -> Result<Self> {
        let up = |amount: i128, scale: &Scale| if amount == ALL { Ok(ALL) } else { scale.signed_up(amount) };
        Ok(Self { col: up(self.col, supply)?, debt: up(self.debt, borrow)? })
    }

    /// Converts the amounts to the atoms that move. Incoming tokens are one atom more than the amount that is
    /// counted.
    #[inline(always)]
    pub fn moved(&self, supply: &Scale, borrow: &Scale) -> Result<Self> {
        let (col, debt) = (supply.signed_down(self.col)?, borrow.signed_down(self.debt)?);
        Ok(Self { col: if col > 0 { col + 1 } else { col }, debt: if debt < 0 { debt - 1 } else { debt } })
    }

    /// Applies the change to a position at these prices, and replaces [`ALL`] by the real amount.
    #[inline(never)]
    pub fn apply(&mut self, to: &mut Holding, at: &At) -> Result {
        if self.col > 0 {
            deposit(to, self.col.unsigned_abs(), at)?;
        } else if self.col < 0 {
            self.col = withdraw(to, self.col, at)?;
        }
        if self.debt > 0 {
            borrow(to, self.debt.unsigned_abs(), at)?;
        } else if self.debt < 0 {
            self.debt = pay_back(to, self.debt, at)?;
        }
        if self.col == 0 && self.debt == 0 {
            return Err(INVALID_OPERATE_AMOUNT.into());
        }
        Ok(())
    }
}

/// The vault's prices and its fee in 10,000ths.
pub struct At {
    pub supply_price: u128,
    pub borrow_price: u128,
    pub borrow_fee: u128,
}

fn deposit(to: &mut Holding, amount: u128, at: &At) -> Result {
    to.col = add(to.col, div(mul(amount, PRICE_ONE)?, at.supply_price)?)?;
    check_size(to.col)
}

/// Returns the amount that is paid out.
fn withdraw(to: &mut Holding, amount: i128, at: &At) -> Result<i128> {
    if amount == ALL {
        let worth = div(mul(to.col, at.supply_price)?, PRICE_ONE)?;
        to.col = 0;
        return Ok(1 - signed(worth)?);
    }
    let raw = div_up(mul(amount.unsigned_abs(), PRICE_ONE)?, at.supply_price)?;
    to.col = to.col.checked_sub(raw).ok_or(EXCESS_COLLATERAL_WITHDRAWAL)?;
    Ok(amount)
}

/// Adds debt. The fee is debt that is paid to no recipient; `rebalance` collects it.
fn borrow(to: &mut Holding, amount: u128, at: &At) -> Result {
    let raw = div_up(mul(amount, PRICE_ONE)?, at.borrow_price)?;
    let fee = div_up(mul(raw, at.borrow_fee)?, WHOLE)?;
    to.debt = add(to.debt, add(raw, fee)?)?;
    check_size(to.debt)
}

/// Returns the amount that is paid in.
fn pay_back(to: &mut Holding, amount: i128, at: &At) -> Result<i128> {
    if amount == ALL {
        let worth = div_up(mul(to.debt, at.borrow_price)?, PRICE_ONE)?;
        to.debt = 0;
        return Ok(-signed(worth)?);
    }
    let raw = sub(div(mul(amount.unsigned_abs(), PRICE_ONE)?, at.borrow_price)?, 1)?;
    to.debt = to.debt.checked_sub(raw).ok_or(EXCESS_DEBT_PAYBACK)?;
    Ok(amount)
}

fn check_size(raw: u128) -> Result {
    if raw > u64::MAX as u128 {
        return Err(USER_COLLATERAL_DEBT_EXCEED.into());
    }
    Ok(())
}
