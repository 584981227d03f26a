//! The events, in the log.

use sluice_program::{anchor, event, Address, Result};

use crate::round::Round;

const ROUND_OPENED: [u8; 8] = anchor::event("RoundOpened");
const SWAPPED: [u8; 8] = anchor::event("Swapped");
const ROUND_SETTLED: [u8; 8] = anchor::event("RoundSettled");
const PAID_OUT: [u8; 8] = anchor::event("PaidOut");
const ROUND_CLOSED: [u8; 8] = anchor::event("RoundClosed");

#[inline(never)]
pub fn emit_opened(address: &Address, round: &Round, now: i64) -> Result {
    event::log(&ROUND_OPENED, |event| {
        event.address(address)?;
        event.address(&round.feed)?;
        event.array(&round.asset)?;
        event.u32(round.seconds)?;
        event.u64(round.open_time as u64)?;
        event.u64(round.close_time as u64)?;
        event.u64(round.open_price as u64)?;
        event.u32(round.exponent as u32)?;
        event.address(&round.mints[0])?;
        event.address(&round.mints[1])?;
        event.u64(round.funding)?;
        event.u64(now as u64)
    })
}

/// A trade.
pub struct Swapped<'s> {
    pub round: &'s Address,
    /// The owner of the outcome account.
    pub owner: &'s Address,
    pub account: &'s Address,
    pub authority: &'s Address,
    pub side: u8,
    pub is_buy: bool,
    pub contracts: u64,
    pub usdc: u64,
    pub fair: u64,
    pub first_price: u64,
    pub feed_price: i64,
    /// After the trade.
    pub outstanding: [u64; 2],
    pub now: i64,
}

impl Swapped<'_> {
    #[inline(never)]
    pub fn emit(&self) -> Result {
        event::log(&SWAPPED, |event| {
            event.address(self.round)?;
            event.address(self.owner)?;
            event.address(self.account)?;
            event.address(self.authority)?;
            event.u8(self.side)?;
            event.u8(self.is_buy as u8)?;
            event.u64(self.contracts)?;
            event.u64(self.usdc)?;
            event.u64(self.fair)?;
            event.u64(self.first_price)?;
            event.u64(self.feed_price as u64)?;
            event.u64(self.outstanding[0])?;
            event.u64(self.outstanding[1])?;
            event.u64(self.now as u64)
        })
    }
}

/// Emits the result that the round has now.
#[inline(never)]
pub fn emit_settled(address: &Address, round: &Round, returned: u64) -> Result {
    event::log(&ROUND_SETTLED, |event| {
        event.address(address)?;
        event.u8(round.status)?;
        event.u64(round.open_price as u64)?;
        event.u64(round.close_price as u64)?;
        event.u64(round.outstanding[0])?;
        event.u64(round.outstanding[1])?;
        event.u64(returned)?;
        event.u64(round.settled_at as u64)
    })
}

/// The end of one account's tokens.
pub struct PaidOut<'s> {
    pub round: &'s Address,
    pub owner: &'s Address,
    pub account: &'s Address,
    pub side: u8,
    pub outcome: u8,
    pub burned: u64,
    pub paid: u64,
    pub now: i64,
}

impl PaidOut<'_> {
    #[inline(never)]
    pub fn emit(&self) -> Result {
        event::log(&PAID_OUT, |event| {
            event.address(self.round)?;
            event.address(self.owner)?;
            event.address(self.account)?;
            event.u8(self.side)?;
            event.u8(self.outcome)?;
            event.u64(self.burned)?;
            event.u64(self.paid)?;
            event.u64(self.now as u64)
        })
    }
}

#[inline(never)]
pub fn emit_closed(address: &Address, returned: u64, now: i64) -> Result {
    event::log(&ROUND_CLOSED, |event| {
        event.address(address)?;
        event.u64(returned)?;
        event.u64(now as u64)
    })
}
