//! What the program tells in its log.

use sluice_lending::state::Reserve;
use sluice_program::interest::Prices;
use sluice_program::{anchor, event, Address, Result};

const EXCHANGE_PRICES: [u8; 8] = anchor::event("LogUpdateExchangePrices");
const BORROW_RATE_CAP: [u8; 8] = anchor::event("LogBorrowRateCap");

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

#[inline(never)]
pub fn borrow_rate_cap(mint: &Address) -> Result {
    event::log(&BORROW_RATE_CAP, |event| event.address(mint))
}

const OPERATE: [u8; 8] = anchor::event("LogOperate");

/// What an operation moved.
pub struct Operated<'a> {
    pub user: &'a Address,
    pub mint: &'a Address,
    pub supply_amount: u128,
    pub borrow_amount: u128,
    pub withdraw_to: &'a Address,
    pub borrow_to: &'a Address,
    pub prices: Prices,
}

#[inline(never)]
pub fn operated(told: &Operated) -> Result {
    event::log(&OPERATE, |event| {
        event.address(told.user)?;
        event.address(told.mint)?;
        event.u128(told.supply_amount)?;
        event.u128(told.borrow_amount)?;
        event.address(told.withdraw_to)?;
        event.address(told.borrow_to)?;
        event.u64(told.prices.supply)?;
        event.u64(told.prices.borrow)
    })
}
