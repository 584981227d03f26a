//! The arithmetic of a reserve's totals and prices.

use crate::error::{LIBRARY_MATH, VALUE_OVERFLOW_TOTAL_BORROW, VALUE_OVERFLOW_TOTAL_SUPPLY};
use crate::math::{narrow, narrow_u16, PRICE_ONE, WHOLE};
use sluice_lending::state::Reserve;
use sluice_program::interest::Prices;
use sluice_program::{math, wide, Result};

/// Functions of a reserve's totals.
pub trait Totals {
    fn set_prices(&mut self, prices: Prices);

    /// Returns the borrowed part of the supply, in 10,000ths, at the prices of the last update.
    fn utilization(&self) -> Result<u16>;

    /// Returns how much the `held` tokens and the debts exceed the supply and the claims, at the prices of the last
    /// update. Debts are rounded down, the supply up. The result is at most `held`.
    fn revenue(&self, held: u64) -> Result<u64>;

    /// Adds to the supply, with interest or without. Fails with ValueOverflowTotalSupply if the total exceeds u64.
    fn add_supply(&mut self, with_interest: bool, amount: u64) -> Result;

    /// Subtracts from the supply, with interest or without. Fails with LibraryMathError if the total is smaller.
    fn subtract_supply(&mut self, with_interest: bool, amount: u64) -> Result;

    fn add_borrow(&mut self, with_interest: bool, amount: u64) -> Result;

    fn subtract_borrow(&mut self, with_interest: bool, amount: u64) -> Result;
}

impl Totals for Reserve {
    fn set_prices(&mut self, prices: Prices) {
        self.supply_exchange_price = prices.supply;
        self.borrow_exchange_price = prices.borrow;
    }

    fn utilization(&self) -> Result<u16> {
        let supply =
            scaled(self.supply_with_interest, self.supply_exchange_price, self.supply_interest_free)?;
        if supply == 0 {
            return Ok(0);
        }
        let borrow =
            scaled(self.borrow_with_interest, self.borrow_exchange_price, self.borrow_interest_free)?;
        narrow_u16(wide::mul_div_floor(borrow, WHOLE as u128, supply).ok_or(LIBRARY_MATH)?)
    }

    fn revenue(&self, held: u64) -> Result<u64> {
        let borrow = worth(self.borrow_with_interest, self.borrow_exchange_price, Rounding::Down)?
            + self.borrow_interest_free as u128;
        let supply = worth(self.supply_with_interest, self.supply_exchange_price, Rounding::Up)?
            + self.supply_interest_free as u128;
        let has = held as u128 + borrow;
        let owes = supply + self.total_claim_amount as u128;
        Ok(narrow(has.saturating_sub(owes))?.min(held))
    }

    fn add_supply(&mut self, with_interest: bool, amount: u64) -> Result {
        let total =
            if with_interest { &mut self.supply_with_interest } else { &mut self.supply_interest_free };
        *total = total.checked_add(amount).ok_or(VALUE_OVERFLOW_TOTAL_SUPPLY)?;
        Ok(())
    }

    fn subtract_supply(&mut self, with_interest: bool, amount: u64) -> Result {
        let total =
            if with_interest { &mut self.supply_with_interest } else { &mut self.supply_interest_free };
        *total = total.checked_sub(amount).ok_or(LIBRARY_MATH)?;
        Ok(())
    }

    fn add_borrow(&mut self, with_interest: bool, amount: u64) -> Result {
        let total =
            if with_interest { &mut self.borrow_with_interest } else { &mut self.borrow_interest_free };
        *total = total.checked_add(amount).ok_or(VALUE_OVERFLOW_TOTAL_BORROW)?;
        Ok(())
    }

    fn subtract_borrow(&mut self, with_interest: bool, amount: u64) -> Result {
        let total =
            if with_interest { &mut self.borrow_with_interest } else { &mut self.borrow_interest_free };
        *total = total.checked_sub(amount).ok_or(LIBRARY_MATH)?;
        Ok(())
    }
}

/// Returns the value of a raw and a free amount together, times the scale of prices.
fn scaled(raw: u64, price: u64, free: u64) -> Result<u128> {
    let worth = math::widening_mul(raw, price).checked_add(math::widening_mul(free, PRICE_ONE));
    worth.ok_or_else(|| LIBRARY_MATH.into())
}

enum Rounding {
    Down,
    Up,
}

fn worth(raw: u64, price: u64, rounding: Rounding) -> Result<u128> {
    let product = math::widening_mul(raw, price);
    let worth = match rounding {
        Rounding::Down => wide::div_floor(product, PRICE_ONE as u128),
        Rounding::Up => wide::div_ceil(product, PRICE_ONE as u128),
    };
    worth.ok_or_else(|| LIBRARY_MATH.into())
}
