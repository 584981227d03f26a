//! The events that the program logs.

use crate::state::config::Terms;
use crate::state::vault::Prices;
use sluice_program::layout::Field;
use sluice_program::{anchor, event, Address, Result};

const EXCHANGE_PRICES: [u8; 8] = anchor::event("LogUpdateExchangePrices");
const CORE_SETTINGS: [u8; 8] = anchor::event("LogUpdateCoreSettings");
const USER_POSITION: [u8; 8] = anchor::event("LogUserPosition");
const OPERATE: [u8; 8] = anchor::event("LogOperate");
const ABSORB: [u8; 8] = anchor::event("LogAbsorb");
const LIQUIDATE: [u8; 8] = anchor::event("LogLiquidate");
const LIQUIDATE_INFO: [u8; 8] = anchor::event("LogLiquidateInfo");
const ROUNDING: [u8; 8] = anchor::event("LogLiquidationRoundingDiff");

/// Logs the vault's new exchange prices.
#[inline(never)]
pub fn exchange_prices(prices: &Prices) -> Result {
    event::log(&EXCHANGE_PRICES, |event| {
        event.u64(prices.vault_supply)?;
        event.u64(prices.vault_borrow)?;
        event.u64(prices.liquidity_supply)?;
        event.u64(prices.liquidity_borrow)
    })
}

/// Logs an event that consists of one address. `tag` is the event's discriminator.
#[inline(never)]
pub fn address(tag: &[u8; 8], address: &Address) -> Result {
    event::log(tag, |event| event.address(address))
}

/// Logs `terms` as the instruction passed them, in 10,000ths.
#[inline(never)]
pub fn core_settings(terms: &Terms) -> Result {
    event::log(&CORE_SETTINGS, |event| Terms::write(terms, event))
}

/// A position after an operation. Collateral and debt are raw, in atoms; the debt includes its dust.
pub struct UserPosition<'a> {
    pub user: &'a Address,
    pub id: u32,
    pub vault_id: u16,
    pub mint: &'a Address,
    pub tick: i32,
    pub col: u64,
    pub debt: u64,
}

/// Logs a position after an operation.
#[inline(never)]
pub fn user_position(position: &UserPosition) -> Result {
    event::log(&USER_POSITION, |event| {
        event.address(position.user)?;
        event.u32(position.id)?;
        event.u16(position.vault_id)?;
        event.address(position.mint)?;
        event.u32(position.tick as u32)?;
        event.u64(position.col)?;
        event.u64(position.debt)
    })
}

/// The amounts that an operation moved, in atoms.
pub struct Operated<'a> {
    pub signer: &'a Address,
    pub id: u32,
    pub col: i128,
    pub debt: i128,
    pub to: &'a Address,
}

/// Logs the amounts that an operation moved.
#[inline(never)]
pub fn operated(operated: &Operated) -> Result {
    event::log(&OPERATE, |event| {
        event.address(operated.signer)?;
        event.u32(operated.id)?;
        event.u128(operated.col as u128)?;
        event.u128(operated.debt as u128)?;
        event.address(operated.to)
    })
}

/// Logs the raw amounts that were absorbed.
pub fn absorbed(col: u64, debt: u64) -> Result {
    event::log(&ABSORB, |event| {
        event.u64(col)?;
        event.u64(debt)
    })
}

/// The amounts that a liquidation moved, in atoms.
pub struct Liquidated<'a> {
    pub signer: &'a Address,
    pub col: u64,
    pub debt: u64,
    pub to: &'a Address,
}

/// Logs the amounts that a liquidation moved.
#[inline(never)]
pub fn liquidated(liquidated: &Liquidated) -> Result {
    event::log(&LIQUIDATE, |event| {
        event.address(liquidated.signer)?;
        event.u64(liquidated.col)?;
        event.u64(liquidated.debt)?;
        event.address(liquidated.to)
    })
}

/// Logs the ticks at which a liquidation started and ended.
pub fn liquidate_info(vault_id: u16, start_tick: i32, end_tick: i32) -> Result {
    event::log(&LIQUIDATE_INFO, |event| {
        event.u16(vault_id)?;
        event.u32(start_tick as u32)?;
        event.u32(end_tick as u32)
    })
}

/// Logs by how much the rounded debt of a liquidation exceeds the offered amount.
#[inline(never)]
pub fn rounding_difference(vault_id: u16, actual: u64, offered: u64) -> Result {
    event::log(&ROUNDING, |event| {
        event.u16(vault_id)?;
        event.u64(actual)?;
        event.u64(offered)?;
        event.u64(actual.saturating_sub(offered))
    })
}
