use sluice_program::math::checked_mul;
use sluice_program::Result;

use crate::args::{FillExactIn, Levels, Side};
use crate::errors::{INVALID_LEVEL_ORDERING, NO_FILL, OVERFLOW};

/// What changes hands, in atoms: of quote and base for a bid, of base and quote for an ask.
pub struct Fill {
    pub paid: u64,
    pub received: u64,
    lots: u64,
}

impl Fill {
    /// The mean price per lot, in ticks, rounded down.
    pub fn mean_price_ticks(&self, args: &FillExactIn) -> u64 {
        let quote = match args.side {
            Side::Bid => self.paid,
            Side::Ask => self.received,
        };
        // Whole lots at whole ticks: the first division leaves nothing over.
        quote / args.tick_size / self.lots
    }
}

/// Takes whole lots from the levels in their order. Input that does not fill a lot is left with the taker.
///
/// InvalidLevelOrdering for levels that get better, Overflow for any product or sum beyond u64, NoFill when nothing
/// would change hands on one side.
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

/// Prices must not fall for a buyer nor rise for a seller; equal neighbours are in order.
fn is_best_first(side: Side, levels: Levels) -> bool {
    levels.is_sorted_by(|earlier, later| match side {
        Side::Bid => earlier.price_ticks <= later.price_ticks,
        Side::Ask => earlier.price_ticks >= later.price_ticks,
    })
}

/// None for overflow.
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
        // A lot that costs nothing has no number of lots; such a level is passed over.
        let lots = remaining.checked_div(lot_costs).unwrap_or(0).min(level.quantity_lots);
        // At most what remains, by the division.
        remaining -= lots.wrapping_mul(lot_costs);
        received = received.checked_add(checked_mul(lots, lot_gives)?)?;
        // No more lots than input atoms, since each that is counted costs at least one.
        total_lots += lots;
    }
    Some(Fill { paid: args.amount_in - remaining, received, lots: total_lots })
}
