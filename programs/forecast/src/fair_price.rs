//! What a token of a side is worth by the feed: the probability that its side wins, if the price moves at random.

use sluice_program::{math, wide, Result};

use crate::errors::MATH_OVERFLOW;
use crate::round::Round;

/// A dollar, and a whole token.
pub const ONE: u64 = 1_000_000;

/// Relative moves and deviations have twelve decimals.
const PARTS: u64 = 1_000_000_000_000;
/// The feed moves in steps of so many seconds, the first of which begins with the open.
const STEP: u64 = 15;
/// More deviations, in thousandths, make no difference.
const LIMIT: u64 = 4_000;

/// The share of a normal distribution below 0 to 4 deviations, in steps of a tenth, in millionths.
const SHARES: [u32; 41] = [
    500_000, 539_828, 579_260, 617_911, 655_422, 691_462, 725_747, 758_036, 788_145, 815_940, 841_345,
    864_334, 884_930, 903_200, 919_243, 933_193, 945_201, 955_435, 964_070, 971_283, 977_250, 982_136,
    986_097, 989_276, 991_802, 993_790, 995_339, 996_533, 997_445, 998_134, 998_650, 999_032, 999_313,
    999_517, 999_663, 999_767, 999_841, 999_892, 999_928, 999_952, 999_968,
];

/// Returns what a token of UP is worth, in micro USD, by a price from before the close. That of DOWN is worth the rest of a
/// dollar. The price can move from when it was published on, so the time that is left begins then: if it began now, whoever
/// waits while the feed stands still would know that the side which leads becomes dearer.
#[inline(never)]
pub fn compute_fair_up(round: &Round, price: u64, published: i64) -> Result<u64> {
    let published = u64::try_from(published).map_err(|_| MATH_OVERFLOW)?;
    let close = u64::try_from(round.close_time).map_err(|_| MATH_OVERFLOW)?;
    let left = close.checked_sub(published - published % STEP).ok_or(MATH_OVERFLOW)?;
    let open_price = u64::try_from(round.open_price).map_err(|_| MATH_OVERFLOW)?;
    let deviations =
        count_deviations(price.abs_diff(open_price), open_price, &round_spread(round.deviation, left)?)?;
    let share = compute_share(deviations);
    Ok(if price >= open_price { share } else { ONE - share })
}

/// Returns the deviation over the time that is left, of which the square grows with the time.
fn round_spread(deviation: u32, left: u64) -> Result<u64> {
    let hours = wide::div_floor(math::widening_mul(left, PARTS), 3_600).ok_or(MATH_OVERFLOW)?;
    let spread = math::checked_mul(deviation as u64, wide::sqrt(hours)).ok_or(MATH_OVERFLOW)?;
    Ok(spread.max(1))
}

/// Returns by how many thousandths of a deviation the price has moved, up to the limit.
fn count_deviations(moved: u64, open_price: u64, spread: &u64) -> Result<u64> {
    let relative =
        wide::div_floor(math::widening_mul(moved, PARTS), open_price as u128).ok_or(MATH_OVERFLOW)?;
    let scaled = wide::checked_mul(relative, 1_000).ok_or(MATH_OVERFLOW)?;
    let deviations = wide::div_floor(scaled, *spread as u128).ok_or(MATH_OVERFLOW)?;
    Ok(math::narrow(deviations).unwrap_or(LIMIT).min(LIMIT))
}

/// Returns the share below that many thousandths of a deviation, rounded down.
fn compute_share(deviations: u64) -> u64 {
    let at = (deviations / 100) as usize;
    let low = SHARES[at] as u64;
    let high = SHARES[if at == 40 { at } else { at + 1 }] as u64;
    low + (high - low).wrapping_mul(deviations % 100) / 100
}
