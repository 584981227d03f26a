//! The events that the program logs.

use sluice_program::{anchor, event, Address, Result};

const RATES: [u8; 8] = anchor::event("LogUpdateRates");
const DEPOSIT: [u8; 8] = anchor::event("LogDeposit");
const WITHDRAW: [u8; 8] = anchor::event("LogWithdraw");

/// Logs the price of a share and the liquidity program's price.
pub fn rates(token_price: u64, liquidity_price: u64) -> Result {
    event::log(&RATES, |event| {
        event.u64(token_price)?;
        event.u64(liquidity_price)
    })
}

/// The assets that moved, and the shares that were minted or burned for them.
#[derive(Clone, Copy)]
pub struct Moved {
    pub assets: u64,
    pub shares: u64,
}

/// Logs a deposit, whose sender and receiver are the signer.
#[inline(never)]
pub fn deposit(signer: &Address, moved: &Moved) -> Result {
    event::log(&DEPOSIT, |event| {
        event.address(signer)?;
        event.address(signer)?;
        event.u64(moved.assets)?;
        event.u64(moved.shares)
    })
}

/// Logs a withdrawal, whose sender, receiver and owner are the signer.
#[inline(never)]
pub fn withdraw(signer: &Address, moved: &Moved) -> Result {
    event::log(&WITHDRAW, |event| {
        event.address(signer)?;
        event.address(signer)?;
        event.address(signer)?;
        event.u64(moved.assets)?;
        event.u64(moved.shares)
    })
}
