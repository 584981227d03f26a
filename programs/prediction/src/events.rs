//! The events, which are written to the log.

use sluice_program::bytes::Writer;
use sluice_program::layout::Field;
use sluice_program::{anchor, log, Address, Result};

use crate::accounts::{ExternalId, OptionalVenueId, Order, Status};
use crate::position::Position;
use crate::text::MarketId;
use crate::vault::{Vault, MINT, VAULT};

const ORDER_CREATED: [u8; 8] = anchor::event("OrderCreated");
const ORDER_FILLED: [u8; 8] = anchor::event("OrderFilled");
const ORDER_FAILED: [u8; 8] = anchor::event("OrderFailed");
const ORDER_CANCELED: [u8; 8] = anchor::event("OrderCanceled");
const ORDER_CLOSED: [u8; 8] = anchor::event("OrderClosed");
const POSITION_UPDATED: [u8; 8] = anchor::event("PositionUpdated");
const POSITION_CLOSED: [u8; 8] = anchor::event("PositionClosed");
const POSITION_LOST: [u8; 8] = anchor::event("PositionLost");
const PAYOUT_CLAIMED: [u8; 8] = anchor::event("PayoutClaimed");
const VAULT_INITIALIZED: [u8; 8] = anchor::event("VaultInitialized");
const VAULT_CONFIG_UPDATED: [u8; 8] = anchor::event("VaultConfigUpdated");
const VAULT_WITHDRAWAL: [u8; 8] = anchor::event("VaultWithdrawal");

/// The longest event is that of a fill with the longest texts.
const LONGEST: usize = 512;

#[inline(always)]
fn emit(tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut buffer = [0; LONGEST];
    let mut event = Writer::new(&mut buffer);
    event.array(tag)?;
    write(&mut event)?;
    log::data(&[event.written()]);
    Ok(())
}

/// An order with its address, and who ended it or what caused the event.
pub struct OrderEvent<'s> {
    pub address: &'s Address,
    pub order: &'s Order,
    pub by: &'s Address,
    pub now: i64,
}

impl OrderEvent<'_> {
    #[inline(never)]
    pub fn created(&self, deposit: u64) -> Result {
        let order = self.order;
        emit(&ORDER_CREATED, |event| {
            event.address(self.address)?;
            MarketId::write(&order.market_id, event)?;
            event.address(&order.owner)?;
            OptionalVenueId::write(&order.order_id, event)?;
            ExternalId::write(&order.external_id, event)?;
            event.u8(order.is_yes as u8)?;
            event.u8(order.is_buy as u8)?;
            event.u64(order.contracts)?;
            event.u64(order.limit_price)?;
            event.u64(deposit)?;
            event.u8(order.is_limit as u8)?;
            event.address(&order.integrator)?;
            event.u16(order.integrator_fee_bps)?;
            event.u64(self.now as u64)
        })
    }

    #[inline(never)]
    pub fn filled(&self, fill: &FillEvent) -> Result {
        emit(&ORDER_FILLED, |event| {
            self.write_head(event)?;
            event.u64(self.order.contracts)?;
            event.u64(fill.contracts)?;
            event.u64(self.order.limit_price)?;
            event.u64(fill.average_price)?;
            event.u64(fill.total_cost)?;
            event.u64(fill.gross)?;
            event.u64(fill.net)?;
            event.u64(fill.transferred)?;
            event.u64(fill.fee)?;
            event.u64(fill.integrator_fee)?;
            event.address(&self.order.integrator)?;
            event.u64(fill.realized as u64)?;
            event.address(self.by)?;
            event.u64(self.now as u64)
        })
    }

    #[inline(never)]
    pub fn failed(&self, returned: u64) -> Result {
        emit(&ORDER_FAILED, |event| {
            self.write_head(event)?;
            self.write_progress(event)?;
            event.address(self.by)?;
            event.u64(self.now as u64)?;
            event.u64(returned)
        })
    }

    #[inline(never)]
    pub fn canceled(&self, returned: u64) -> Result {
        emit(&ORDER_CANCELED, |event| {
            self.write_head(event)?;
            self.write_progress(event)?;
            event.u64(returned)?;
            event.address(self.by)?;
            event.u64(self.now as u64)
        })
    }

    #[inline(never)]
    pub fn closed(&self, returned: u64) -> Result {
        emit(&ORDER_CLOSED, |event| {
            self.write_head(event)?;
            event.u64(self.order.contracts)?;
            event.u64(self.order.limit_price)?;
            event.u64(returned)?;
            event.address(self.by)?;
            event.u64(self.now as u64)
        })
    }

    /// Writes the fields with which all events of an order but its creation begin.
    #[inline(never)]
    fn write_head(&self, event: &mut Writer) -> Result {
        let order = self.order;
        event.address(self.address)?;
        MarketId::write(&order.market_id, event)?;
        event.address(&order.owner)?;
        ExternalId::write(&order.external_id, event)?;
        OptionalVenueId::write(&order.order_id, event)?;
        Status::write(&order.status, event)?;
        event.u8(order.is_buy as u8)?;
        event.u8(order.is_yes as u8)
    }

    #[inline(never)]
    fn write_progress(&self, event: &mut Writer) -> Result {
        event.u64(self.order.contracts)?;
        event.u64(self.order.filled_contracts)?;
        event.u64(self.order.limit_price)?;
        event.u64(self.order.average_price)
    }
}

/// The figures of one fill.
#[derive(Default)]
pub struct FillEvent {
    pub contracts: u64,
    pub average_price: u64,
    pub total_cost: u64,
    pub gross: u64,
    pub net: u64,
    pub transferred: u64,
    pub fee: u64,
    pub integrator_fee: u64,
    pub realized: i64,
}

#[inline(never)]
pub fn emit_position_updated(address: &Address, position: &Position, now: i64) -> Result {
    emit(&POSITION_UPDATED, |event| {
        event.address(address)?;
        event.address(&position.owner)?;
        event.u8(position.is_yes as u8)?;
        event.u64(position.contracts)?;
        event.u64(position.total_cost)?;
        event.u64(position.realized_pnl as u64)?;
        event.u64(now as u64)
    })
}

#[inline(never)]
pub fn emit_position_closed(address: &Address, position: &Position, by: &Address, now: i64) -> Result {
    emit(&POSITION_CLOSED, |event| {
        event.address(address)?;
        MarketId::write(&position.market_id, event)?;
        event.address(&position.owner)?;
        event.u8(position.is_yes as u8)?;
        event.address(by)?;
        event.u64(now as u64)
    })
}

/// The end of a position in a market with a result. The position is that before it.
pub struct Settlement<'s> {
    pub address: &'s Address,
    pub owner: &'s Address,
    pub market_id: &'s MarketId,
    pub is_yes: bool,
    pub contracts: u64,
    pub payout: u64,
    pub realized: i64,
    pub by: &'s Address,
    pub now: i64,
    pub overall_fees: u64,
    pub overall_realized: i64,
    pub overall_cost: u64,
    pub outcome: u8,
}

impl Settlement<'_> {
    #[inline(never)]
    pub fn lost(&self) -> Result {
        emit(&POSITION_LOST, |event| self.write(event))
    }

    #[inline(never)]
    pub fn claimed(&self, payout_per_contract: u64) -> Result {
        emit(&PAYOUT_CLAIMED, |event| {
            self.write(event)?;
            event.u64(payout_per_contract)
        })
    }

    #[inline(never)]
    fn write(&self, event: &mut Writer) -> Result {
        MarketId::write(self.market_id, event)?;
        event.address(self.address)?;
        event.address(self.owner)?;
        event.u8(self.is_yes as u8)?;
        event.u64(self.contracts)?;
        event.u64(self.payout)?;
        event.u64(self.payout)?;
        // There is no fee on payouts.
        event.u64(0)?;
        event.u64(self.realized as u64)?;
        event.address(self.by)?;
        event.u64(self.now as u64)?;
        event.u64(self.overall_fees)?;
        event.u64(self.overall_realized as u64)?;
        event.u64(self.overall_cost)?;
        event.u8(self.outcome)
    }
}

#[inline(never)]
pub fn emit_vault_initialized(now: i64) -> Result {
    emit(&VAULT_INITIALIZED, |event| {
        event.address(&VAULT)?;
        event.address(&VAULT)?;
        event.address(&MINT)?;
        event.u64(now as u64)
    })
}

#[inline(never)]
pub fn emit_config_updated(vault: &Vault, now: i64) -> Result {
    emit(&VAULT_CONFIG_UPDATED, |event| {
        event.address(&VAULT)?;
        event.u64(vault.global_max_contracts)?;
        event.u16(vault.protocol_fee_bps)?;
        event.u8(vault.withdrawals_disabled as u8)?;
        event.u8(vault.deposits_disabled as u8)?;
        event.u64(now as u64)
    })
}

/// A withdrawal by the admin.
pub struct Withdrawal<'s> {
    pub admin: &'s Address,
    pub destination: &'s Address,
    pub amount: u64,
    pub left: u64,
}

#[inline(never)]
pub fn emit_withdrawal(withdrawal: &Withdrawal, now: i64) -> Result {
    emit(&VAULT_WITHDRAWAL, |event| {
        event.address(withdrawal.admin)?;
        event.address(withdrawal.destination)?;
        event.u64(withdrawal.amount)?;
        event.u64(withdrawal.left)?;
        event.u64(now as u64)
    })
}
