//! The events that the program logs.

use sluice_lending::state::Reserve;
use sluice_program::interest::Prices;
use sluice_program::{anchor, event, Address, Result};

const EXCHANGE_PRICES: [u8; 8] = anchor::event("LogUpdateExchangePrices");
const BORROW_RATE_CAP: [u8; 8] = anchor::event("LogBorrowRateCap");

/// Logs a reserve's exchange prices, rate and utilization.
#[inline(never)]
pub fn exchange_prices(reserve: &Reserve) -> Result {
    event::log(&EXCHANGE_PRICES, |event| {
        event.address(&reserve.mint)?;
        event.u128(reserve.supply_exchange_price as u128)?;
        event.u128(reserve.borrow_exchange_price as u128)?;
        event.u16(reserve.borrow_rate)?;
        event.u16(reserve.last_utilization)
    })
}

/// Logs that a token's borrow rate was reduced to the maximum.
#[inline(never)]
pub fn borrow_rate_cap(mint: &Address) -> Result {
    event::log(&BORROW_RATE_CAP, |event| event.address(mint))
}

const OPERATE: [u8; 8] = anchor::event("LogOperate");

/// The result of an operation.
pub struct Operated<'a> {
    pub user: &'a Address,
    pub mint: &'a Address,
    pub supply_amount: u128,
    pub borrow_amount: u128,
    pub withdraw_to: &'a Address,
    pub borrow_to: &'a Address,
    pub prices: Prices,
}

/// Logs the result of an operation.
#[inline(never)]
pub fn operated(operation: &Operated) -> Result {
    event::log(&OPERATE, |event| {
        event.address(operation.user)?;
        event.address(operation.mint)?;
        event.u128(operation.supply_amount)?;
        event.u128(operation.borrow_amount)?;
        event.address(operation.withdraw_to)?;
        event.address(operation.borrow_to)?;
        event.u64(operation.prices.supply)?;
        event.u64(operation.prices.borrow)
    })
}
