//! The arithmetic of a fill.

use sluice_program::math::checked_mul;
use sluice_program::Result;

use crate::args::{FillExactIn, Levels, Side};
use crate::errors::{INVALID_LEVEL_ORDERING, NO_FILL, OVERFLOW};

/// The exchanged amounts in atoms: quote and base for a bid, base and quote for an ask.
pub struct Fill {
    pub paid: u64,
    pub received: u64,
    lots: u64,
}

impl Fill {
    /// Returns the mean price per lot, in ticks, rounded down.
    pub fn mean_price_ticks(&self, args: &FillExactIn) -> u64 {
        let quote = match args.side {
            Side::Bid => self.paid,
            Side::Ask => self.received,
        };
        // The quote amount consists of whole lots at whole ticks, so the first division is exact.
        quote / args.tick_size / self.lots
    }
}

/// Takes whole lots from the levels in their order. Input that does not fill a lot stays with the taker.
///
/// Fails with InvalidLevelOrdering if a later level has a better price, with Overflow if a product or sum exceeds
/// u64, and with NoFill if one side would receive nothing.
pub fn sweep(args: &FillExactIn) -> Result<Fill> {
    if !is_best_first(args.side, args.levels) {
        return Err(INVALID_LEVEL_ORDERING.into());
    }
    let fill = sweep_levels(args).ok_or(OVERFLOW)?;
    if fill.paid == 0 || fill.received == 0 {
        return Err(NO_FILL.into());
    }
    Ok(fill)
}

/// Returns whether no price falls for a buyer or rises for a seller. Equal neighbours are allowed.
fn is_best_first(side: Side, levels: Levels) -> bool {
    levels.is_sorted_by(|earlier, later| match side {
        Side::Bid => earlier.price_ticks <= later.price_ticks,
        Side::Ask => earlier.price_ticks >= later.price_ticks,
    })
}

/// Returns None on overflow.
fn sweep_levels(args: &FillExactIn) -> Option<Fill> {
    let mut remaining = args.amount_in;
    let mut received = 0u64;
    let mut total_lots = 0;
    for level in args.levels {
        if remaining == 0 {
            break;
        }
        let price = checked_mul(level.price_ticks, args.tick_size)?;
        let (lot_costs, lot_gives) = match args.side {
            Side::Bid => (price, args.lot_size),
            Side::Ask => (args.lot_size, price),
        };
        // If a lot costs nothing, the number of lots is undefined; such a level is skipped.
        let lots = remaining.checked_div(lot_costs).unwrap_or(0).min(level.quantity_lots);
        // By the division above, this is at most what remains.
        remaining -= lots.wrapping_mul(lot_costs);
        received = received.checked_add(checked_mul(lots, lot_gives)?)?;
        // Each counted lot costs at least one input atom, so the sum cannot exceed the input amount.
        total_lots += lots;
    }
    Some(Fill { paid: args.amount_in - remaining, received, lots: total_lots })
}
