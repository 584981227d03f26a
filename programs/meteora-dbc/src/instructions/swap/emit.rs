//! The events of a swap.

use super::accounts::Context;
use super::{Args, EXACT_IN, EXACT_OUT};
use crate::events;
use crate::quote::{Market, Swapped, Terms};
use sluice_program::bytes::Writer;
use sluice_program::{anchor, Result};

const SWAP: [u8; 8] = anchor::event("EvtSwap");
const SWAP2: [u8; 8] = anchor::event("EvtSwap2");
const CURVE_COMPLETE: [u8; 8] = anchor::event("EvtCurveComplete");

/// A swap that was executed.
pub struct Swap<'s, 'a> {
    pub context: &'s Context<'s, 'a>,
    /// The pool after the swap.
    pub market: &'s Market,
    pub args: &'s Args,
    pub terms: Terms,
    pub swapped: Swapped,
    /// The Unix time.
    pub now: u64,
}

impl Swap<'_, '_> {
    /// Emits the event of the first form, whose arguments are always an input and an output.
    #[inline(never)]
    pub fn emit(&self) -> Result {
        let Self { args, swapped, .. } = self;
        let (input, output) = match args.mode {
            EXACT_IN => (args.amount, args.limit),
            EXACT_OUT => (swapped.input, args.amount),
            _ => (swapped.input, swapped.output),
        };
        events::emit(self.context.event_authority, &SWAP, |event| {
            self.write_head(event)?;
            event.u64(input)?;
            event.u64(output)?;
            event.u64(swapped.traded_input)?;
            event.u64(swapped.output)?;
            self.write_price_and_fees(event)?;
            event.u64(swapped.input)?;
            event.u64(self.now)
        })
    }

    /// Emits the event of the second form.
    #[inline(never)]
    pub fn emit_v2(&self) -> Result {
        let Self { market, args, swapped, .. } = self;
        events::emit(self.context.event_authority, &SWAP2, |event| {
            self.write_head(event)?;
            event.u64(args.amount)?;
            event.u64(args.limit)?;
            event.u8(args.mode)?;
            for amount in [swapped.input, swapped.traded_input, swapped.left, swapped.output] {
                event.u64(amount)?;
            }
            self.write_price_and_fees(event)?;
            event.u64(market.pool.reserves[1])?;
            event.u64(market.config.migration_quote_threshold)?;
            event.u64(self.now)
        })
    }

    fn write_head(&self, event: &mut Writer) -> Result {
        event.address(self.context.pool.address())?;
        event.address(self.context.config.address())?;
        event.u8(self.terms.is_purchase as u8)?;
        event.u8(self.terms.has_referral as u8)
    }

    fn write_price_and_fees(&self, event: &mut Writer) -> Result {
        let split = &self.swapped.split;
        event.u128(self.swapped.next_sqrt_price)?;
        event.u64(split.trading)?;
        event.u64(split.protocol)?;
        event.u64(split.referral)
    }
}

/// Emits that the curve is sold out, with the reserves of the base and of the quote token.
#[inline(never)]
pub fn emit_completion(context: &Context, reserves: [u64; 2]) -> Result {
    events::emit(context.event_authority, &CURVE_COMPLETE, |event| {
        event.address(context.pool.address())?;
        event.address(context.config.address())?;
        event.u64(reserves[0])?;
        event.u64(reserves[1])
    })
}
