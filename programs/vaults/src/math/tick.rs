//! Ticks: the ratio of debt to collateral, on a scale of powers of 1.0015.

use crate::error::{
    LIBRARY_TICK_INVALID_PERFECT_RATIO, LIBRARY_TICK_OUT_OF_BOUNDS, LIBRARY_TICK_RATIO_OUT_OF_BOUNDS,
};
use crate::math::{add, div, mul, sub, RATIO_ONE, WHOLE};
use sluice_program::{math, Result};

pub const MIN_TICK: i32 = -16_383;
pub const MAX_TICK: i32 = 16_383;
/// The value that stands for the absence of a tick: there is no debt, or none below.
pub const NO_TICK: i32 = i32::MIN;
/// 1.0015 in 10,000ths, which is the step from one tick's ratio to the next.
pub const STEP: u128 = 10_015;

/// The ratios of the lowest and the highest tick.
const RATIOS: core::ops::RangeInclusive<u128> = 6_093..=13_002_088_133_096_036_565_414_295;
/// The value 1.0 of the factors below.
const FACTOR_ONE: u64 = 10_000_000_000_000;

/// 2^64 / 1.0015^(2^k) for bit k of a tick.
const POWERS: [u64; 14] = [
    0xff9d_d7de_4234_66c2,
    0xff3b_d55f_4488_ad27,
    0xfe78_410f_d649_8b74,
    0xfcf2_d998_7c9b_e179,
    0xf9ef_02c4_5292_58b0,
    0xf402_d288_133a_85a1,
    0xe895_615b_5beb_6386,
    0xd34f_17a0_0ffa_00a8,
    0xae6b_7961_714e_2055,
    0x76d6_461f_2708_2d75,
    0x372a_3bfe_0745_d8b7,
    0x0be3_2cbe_e489_7976,
    0x008d_4f70_c9ff_4925,
    0x0000_4e00_9ae5_5194,
];

/// 1.0015^(2^k) × 10^13, from k = 13 down.
const THRESHOLDS: [u64; 14] = [
    2_150_859_953_785_115_391,
    4_637_736_467_054_931,
    215_354_044_936_586,
    46_406_254_420_777,
    21_542_110_950_596,
    14_677_230_989_051,
    12_114_962_232_319,
    11_006_798_913_544,
    10_491_329_235_871,
    10_242_718_992_470,
    10_120_631_893_548,
    10_060_135_135_051,
    10_030_022_500_000,
    10_015_000_000_000,
];

/// Returns 1.0015^tick × 2^48, rounded up for ticks from 0 on. Fails with LibraryTickOutOfBounds if the tick is out
/// of range.
#[inline(never)]
pub fn ratio_at(tick: i32) -> Result<u128> {
    if !(MIN_TICK..=MAX_TICK).contains(&tick) {
        return Err(LIBRARY_TICK_OUT_OF_BOUNDS.into());
    }
    let bits = tick.unsigned_abs();
    // None means 2^64.
    let mut factor: Option<u64> = None;
    for (bit, power) in POWERS.iter().enumerate() {
        if bits >> bit & 1 == 1 {
            factor = Some(match factor {
                None => *power,
                Some(factor) => (math::widening_mul(factor, *power) >> 64) as u64,
            });
        }
    }
    if tick < 0 {
        // A negative tick has a bit set, so there is a factor.
        return Ok(factor.unwrap_or(0) as u128 >> 16);
    }
    let inverse = div(u128::MAX, factor.map_or(1 << 64, |factor| factor as u128))?;
    Ok((inverse >> 16) + (inverse as u16 != 0) as u128)
}

/// Returns the highest tick whose ratio is at most `ratio`, and the tick's ratio as the search computes it, which may
/// differ from [`ratio_at`] in its last digits. Fails with LibraryTickRatioOutOfBounds if the ratio is outside the
/// range of the ticks.
#[inline(never)]
pub fn tick_at(ratio: u128) -> Result<(i32, u128)> {
    if !RATIOS.contains(&ratio) {
        return Err(LIBRARY_TICK_RATIO_OUT_OF_BOUNDS.into());
    }
    let one = FACTOR_ONE as u128;
    let negative = ratio < RATIO_ONE;
    let first = if negative { div(mul(RATIO_ONE, one)?, ratio)? } else { mul(ratio, one)? >> 48 };
    let (tick, factor) = search(first)?;
    let (tick, exact) = if negative {
        (!tick, div(mul(ratio, factor as u128)?, THRESHOLDS[13] as u128)?)
    } else {
        (tick, div(mul(ratio, one)?, factor as u128)?)
    };
    if exact > ratio {
        return Err(LIBRARY_TICK_INVALID_PERFECT_RATIO.into());
    }
    Ok((tick, exact))
}

/// Returns how many steps of 1.0015 `first` contains, and the remaining factor. Both numbers are in the scale of
/// [`FACTOR_ONE`].
fn search(first: u128) -> Result<(i32, u64)> {
    let mut tick = 0;
    let highest = THRESHOLDS[0] as u128;
    let mut factor = if first >= highest {
        tick = 1 << 13;
        div(mul(first, FACTOR_ONE as u128)?, highest)? as u64
    } else {
        first as u64
    };
    for (index, threshold) in THRESHOLDS.iter().enumerate().skip(1) {
        if factor >= *threshold {
            tick |= 1 << (13 - index);
            let (rest, _) = math::div_rem(math::widening_mul(factor, FACTOR_ONE), *threshold)
                .ok_or(LIBRARY_TICK_RATIO_OUT_OF_BOUNDS)?;
            factor = rest;
        }
    }
    Ok((tick, factor))
}

/// The number of parts of the step between two ticks.
pub const ALL_PARTIALS: u32 = (1 << 30) - 1;

/// Returns the ratio of a liquidated tick: that of the tick below it, plus `partials` of the step between the two.
#[inline(never)]
pub fn partial_ratio(ratio: u128, partials: u32) -> Result<u128> {
    let below = div(mul(ratio, WHOLE)?, STEP)?;
    let step = sub(ratio, below)?;
    add(below, div(mul(step, partials as u128)?, ALL_PARTIALS as u128)?)
}

/// Returns how many parts of the step above the tick with ratio `below` the ratio `reached` takes. The result is at
/// least one and less than all, so that a liquidated tick never counts as a whole one.
#[inline(never)]
pub fn partials_of(below: u128, reached: u128) -> Result<u32> {
    let above = div(mul(below, STEP)?, WHOLE)?;
    let step = sub(above, below)?;
    let all = ALL_PARTIALS as u128;
    let partials = div(mul(sub(reached, below)?, all)?, step)?;
    Ok(partials.clamp(1, all - 1) as u32)
}

/// Returns floor(debt × 2^48 / ratio), which is the collateral of `debt` at that ratio.
pub fn collateral_at(debt: u128, ratio: u128) -> Result<u128> {
    div(mul(debt, RATIO_ONE)?, ratio)
}

/// Returns floor(debt × 2^48 / collateral).
pub fn ratio_of(debt: u128, collateral: u128) -> Result<u128> {
    div(mul(debt, RATIO_ONE)?, collateral)
}
