//! Ticks and their prices, with the public program's constants and rounding.

use sluice_program::math::widening_mul;
use sluice_program::wide::{self, U256};

pub const MIN_TICK: i32 = -443_636;
pub const MAX_TICK: i32 = 443_636;
pub const MIN_SQRT_PRICE: u128 = 4_295_048_016;
pub const MAX_SQRT_PRICE: u128 = 79_226_673_515_401_279_992_447_579_055;

/// sqrt(1.0001^(2^i)) in Q96, for each bit i of a positive tick.
const UP: [u128; 19] = [
    79_232_123_823_359_799_118_286_999_567,
    79_236_085_330_515_764_027_303_304_731,
    79_244_008_939_048_815_603_706_035_061,
    79_259_858_533_276_714_757_314_932_305,
    79_291_567_232_598_584_799_939_703_904,
    79_355_022_692_464_371_645_785_046_466,
    79_482_085_999_252_804_386_437_311_141,
    79_736_823_300_114_093_921_829_183_326,
    80_248_749_790_819_932_309_965_073_892,
    81_282_483_887_344_747_381_513_967_011,
    83_390_072_131_320_151_908_154_831_281,
    87_770_609_709_833_776_024_991_924_138,
    97_234_110_755_111_693_312_479_820_773,
    119_332_217_159_966_728_226_237_229_890,
    179_736_315_981_702_064_433_883_588_727,
    407_748_233_172_238_350_107_850_275_304,
    2_098_478_828_474_011_932_436_660_412_517,
    55_581_415_166_113_811_149_459_800_483_533,
    38_992_368_544_603_139_932_233_054_999_993_551,
];

/// sqrt(1.0001^-(2^i)) in Q64, for each bit i of a negative tick's magnitude.
const DOWN: [u64; 19] = [
    18_445_821_805_675_392_311,
    18_444_899_583_751_176_498,
    18_443_055_278_223_354_162,
    18_439_367_220_385_604_838,
    18_431_993_317_065_449_817,
    18_417_254_355_718_160_513,
    18_387_811_781_193_591_352,
    18_329_067_761_203_520_168,
    18_212_142_134_806_087_854,
    17_980_523_815_641_551_639,
    17_526_086_738_831_147_013,
    16_651_378_430_235_024_244,
    15_030_750_278_693_429_944,
    12_247_334_978_882_834_399,
    8_131_365_268_884_726_200,
    3_584_323_654_723_342_297,
    696_457_651_847_595_233,
    26_294_789_957_452_057,
    37_481_735_321_082,
];

/// The logarithm of 2 to base sqrt(1.0001) in Q32, and the maximum errors of [`at_price`]'s logarithm, in Q64.
const LOG_OF_2_X32: u64 = 59_543_866_431_248;
const LOG_BITS: u32 = 14;
const ERROR_BELOW_X64: i128 = 184_467_440_737_095_516;
const ERROR_ABOVE_X64: i128 = 15_793_534_762_490_258_745;

/// Returns the price at a tick, which must be within the bounds.
#[inline(never)]
pub fn price_at(tick: i32) -> u128 {
    let bits = tick.unsigned_abs();
    if tick < 0 {
        return price_below_one(bits);
    }
    let mut ratio: u128 = 1 << 96;
    for (bit, factor) in UP.iter().enumerate() {
        if bits >> bit & 1 != 0 {
            let product = U256::product(ratio, *factor);
            // The number has at most 224 bits, of which the lower 96 are the fraction.
            ratio = product.high << 32 | product.low >> 96;
        }
    }
    ratio >> 32
}

fn price_below_one(bits: u32) -> u128 {
    // The number 1 itself does not fit 64 bits, but every product with a factor does.
    let mut ratio: Option<u64> = None;
    for (bit, factor) in DOWN.iter().enumerate() {
        if bits >> bit & 1 != 0 {
            ratio = Some(match ratio {
                None => *factor,
                Some(ratio) => (widening_mul(ratio, *factor) >> 64) as u64,
            });
        }
    }
    match ratio {
        Some(ratio) => ratio as u128,
        None => 1 << 64,
    }
}

/// Returns the greatest tick whose price is at most the given one. The price must be within the bounds.
#[inline(never)]
pub fn at_price(sqrt_price: u128) -> i32 {
    let log = log2_x32(sqrt_price);
    let magnitude = widening_mul(log.unsigned_abs(), LOG_OF_2_X32) as i128;
    let log = if log < 0 { -magnitude } else { magnitude };
    let low = ((log - ERROR_BELOW_X64) >> 64) as i32;
    let high = ((log + ERROR_ABOVE_X64) >> 64) as i32;
    if low != high && price_at(high) > sqrt_price {
        low
    } else {
        high
    }
}

/// Returns the binary logarithm in Q32 with 14 bits of fraction. Each squaring yields the next bit.
fn log2_x32(value: u128) -> i64 {
    let (high, low) = wide::split(value);
    // The leading 64 bits, and the position of the first of them.
    let (mut rest, top) = if high != 0 {
        let shift = high.leading_zeros();
        (high << shift | (low >> 1) >> (63 - shift), 127 - shift)
    } else {
        let shift = low.leading_zeros();
        (low << shift, 63 - shift)
    };
    let mut fraction: u64 = 0;
    for bit in 1..=LOG_BITS {
        let square = widening_mul(rest, rest);
        let carry = (square >> 127) as u64;
        rest = if carry != 0 { (square >> 64) as u64 } else { (square >> 63) as u64 };
        fraction += carry << (32 - bit);
    }
    ((top as i64 - 64) << 32) + fraction as i64
}
