//! The borrow rate as a piecewise linear function of the utilization.

use crate::error::BORROW_RATE_NEGATIVE;
use sluice_program::{layout, math, wide, Result};

/// The number of parts of a rate's unit with which slopes are computed.
const PRECISION: u64 = 1_000_000_000_000;

layout! {
    /// A corner of the curve: a utilization and the rate there, both in 10,000ths.
    #[derive(Clone, Copy)]
    pub struct Corner {
        pub utilization: u16,
        pub rate: u16,
    }
}

/// Returns the rate at `utilization` on the line through two corners. `from` has the lower utilization. The result
/// may exceed a rate's field; the caller caps it.
pub fn interpolate(from: Corner, to: Corner, utilization: u64) -> Result<u64> {
    let distance = utilization - from.utilization as u64;
    let span = (to.utilization - from.utilization) as u64;
    let start = (from.rate as u64).wrapping_mul(PRECISION);
    let rising = to.rate >= from.rate;
    let difference = to.rate.abs_diff(from.rate) as u64;
    let slope = difference.wrapping_mul(PRECISION) / span;
    let change = math::widening_mul(slope, distance);
    let scaled = if rising {
        start as u128 + change
    } else {
        (start as u128).checked_sub(change).ok_or(BORROW_RATE_NEGATIVE)?
    };
    Ok(wide::div_floor(scaled, PRECISION as u128).and_then(math::narrow).unwrap_or(u64::MAX))
}
