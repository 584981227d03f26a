//! The events. The program emits them by calls to itself.

use sluice_program::bytes::Writer;
use sluice_program::layout::Field;
use sluice_program::{anchor, event, Account, Address, ProgramError, Result};

use crate::state::{OptionalSecond, Order, EVENT_AUTHORITY, EVENT_AUTHORITY_BUMP, PROGRAM};

const CREATE_ORDER: [u8; 8] = anchor::event("CreateOrderEvent");
const CANCEL_ORDER: [u8; 8] = anchor::event("CancelOrderEvent");
const TRADE: [u8; 8] = anchor::event("TradeEvent");

/// The longest event is that of a new order.
const LONGEST: usize = 8 + 8 + 7 * 32 + 2 * 8 + 9 + 2 + 2;

/// What a fill did.
pub struct Trade<'a> {
    pub order_key: &'a Address,
    pub taker: &'a Address,
    pub remaining_making_amount: u64,
    pub remaining_taking_amount: u64,
    pub making_amount: u64,
    /// What the taker paid, with the fee.
    pub taking_amount: u64,
}

#[inline(always)]
fn emit(authority: Account, tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut buffer = [0; LONGEST];
    let mut event = Writer::new(&mut buffer);
    event.array(&event::TAG)?;
    event.array(tag)?;
    write(&mut event)?;
    event::emit(&PROGRAM, authority, EVENT_AUTHORITY_BUMP, event.written())
}

#[inline(never)]
pub fn emit_create_order(authority: Account, order_key: &Address, order: &Order) -> Result {
    emit(authority, &CREATE_ORDER, |event| {
        event.address(order_key)?;
        event.address(&order.maker)?;
        event.address(&order.input_mint)?;
        event.address(&order.output_mint)?;
        event.address(&order.input_token_program)?;
        event.address(&order.output_token_program)?;
        event.u64(order.making_amount)?;
        event.u64(order.taking_amount)?;
        OptionalSecond::write(&order.expired_at, event)?;
        event.u16(order.fee_bps)?;
        event.address(&order.fee_account)?;
        // Later builds have this field. Readers of the older event do not look behind the others.
        event.u16(order.slippage_bps)
    })
}

#[inline(never)]
pub fn emit_cancel_order(authority: Account, order_key: &Address) -> Result {
    emit(authority, &CANCEL_ORDER, |event| event.address(order_key))
}

#[inline(never)]
pub fn emit_trade(authority: Account, trade: &Trade) -> Result {
    emit(authority, &TRADE, |event| {
        event.address(trade.order_key)?;
        event.address(trade.taker)?;
        event.u64(trade.remaining_making_amount)?;
        event.u64(trade.remaining_taking_amount)?;
        event.u64(trade.making_amount)?;
        event.u64(trade.taking_amount)
    })
}

/// Answers a call of the program to itself. Fails with ConstraintSigner unless the event authority signed,
/// for which only this program can sign.
pub fn accept(accounts: &[Account]) -> Result {
    match accounts.first() {
        None => Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS),
        Some(authority) if authority.is_signer() && *authority.address() == EVENT_AUTHORITY => Ok(()),
        Some(_) => Err(anchor::CONSTRAINT_SIGNER.of("event_authority")),
    }
}
