import { BoundedCache } from '../../../common/collections/bounded-cache.ts';

/** The ticks whose prices the program can represent, and those prices as Q64.64 square roots. */
export const MIN_TICK = -443_636;
export const MAX_TICK = 443_636;
export const MIN_SQRT_PRICE = 4_295_048_016n;
export const MAX_SQRT_PRICE = 79_226_673_515_401_279_992_447_579_055n;

/** sqrt(1.0001^(2^i)) in Q96, for each bit i of a positive tick, as the program has it. */
const UP = [
  79_232_123_823_359_799_118_286_999_567n,
  79_236_085_330_515_764_027_303_304_731n,
  79_244_008_939_048_815_603_706_035_061n,
  79_259_858_533_276_714_757_314_932_305n,
  79_291_567_232_598_584_799_939_703_904n,
  79_355_022_692_464_371_645_785_046_466n,
  79_482_085_999_252_804_386_437_311_141n,
  79_736_823_300_114_093_921_829_183_326n,
  80_248_749_790_819_932_309_965_073_892n,
  81_282_483_887_344_747_381_513_967_011n,
  83_390_072_131_320_151_908_154_831_281n,
  87_770_609_709_833_776_024_991_924_138n,
  97_234_110_755_111_693_312_479_820_773n,
  119_332_217_159_966_728_226_237_229_890n,
  179_736_315_981_702_064_433_883_588_727n,
  407_748_233_172_238_350_107_850_275_304n,
  2_098_478_828_474_011_932_436_660_412_517n,
  55_581_415_166_113_811_149_459_800_483_533n,
  38_992_368_544_603_139_932_233_054_999_993_551n,
] as const;

/** sqrt(1.0001^-(2^i)) in Q64, for each bit i of a negative tick's absolute value. */
const DOWN = [
  18_445_821_805_675_392_311n,
  18_444_899_583_751_176_498n,
  18_443_055_278_223_354_162n,
  18_439_367_220_385_604_838n,
  18_431_993_317_065_449_817n,
  18_417_254_355_718_160_513n,
  18_387_811_781_193_591_352n,
  18_329_067_761_203_520_168n,
  18_212_142_134_806_087_854n,
  17_980_523_815_641_551_639n,
  17_526_086_738_831_147_013n,
  16_651_378_430_235_024_244n,
  15_030_750_278_693_429_944n,
  12_247_334_978_882_834_399n,
  8_131_365_268_884_726_200n,
  3_584_323_654_723_342_297n,
  696_457_651_847_595_233n,
  26_294_789_957_452_057n,
  37_481_735_321_082n,
] as const;

const Q32 = 1n << 32n;

/** log base sqrt(1.0001) of 2, in Q32, and how far the logarithm below may be off on either side, in Q64. */
const LOG_OF_2_X32 = 59_543_866_431_248n;
const LOG_BITS = 14;
const ERROR_BELOW_X64 = 184_467_440_737_095_516n;
const ERROR_ABOVE_X64 = 15_793_534_762_490_258_745n;

const known = new BoundedCache<number, bigint>(1 << 14);

/** The Q64.64 square root of the price at a tick from -443,636 to 443,636, rounded as the program rounds it. */
export function computeSqrtPriceAtTick(tick: number): bigint {
  const cached = known.get(tick);
  if (cached !== undefined) return cached;
  if (!Number.isInteger(tick) || tick < MIN_TICK || tick > MAX_TICK) {
    throw new RangeError(`a tick is an integer from ${MIN_TICK} to ${MAX_TICK}, got ${tick}`);
  }
  const price = tick < 0 ? product(-tick, DOWN, 64n) : product(tick, UP, 96n) >> 32n;
  known.set(tick, price);
  return price;
}

/** The product of the factors of the set bits, in fixed point with so many fractional bits, floored at each step. */
function product(bits: number, factors: readonly bigint[], fraction: bigint): bigint {
  let ratio = 1n << fraction;
  for (const [bit, factor] of factors.entries()) {
    if ((bits >> bit) & 1) ratio = (ratio * factor) >> fraction;
  }
  return ratio;
}

/** The greatest tick whose price is at most the given one, a Q64.64 square root within the program's bounds. */
export function computeTickAtSqrtPrice(sqrtPrice: bigint): number {
  if (sqrtPrice < MIN_SQRT_PRICE || sqrtPrice > MAX_SQRT_PRICE) {
    throw new RangeError(`a sqrt price is from ${MIN_SQRT_PRICE} to ${MAX_SQRT_PRICE}, got ${sqrtPrice}`);
  }
  const log = log2X32(sqrtPrice) * LOG_OF_2_X32;
  const low = Number((log - ERROR_BELOW_X64) >> 64n);
  const high = Number((log + ERROR_ABOVE_X64) >> 64n);
  return high <= MAX_TICK && computeSqrtPriceAtTick(high) <= sqrtPrice ? high : low;
}

/** The binary logarithm of a Q64.64 number, in Q32 with 14 bits of fraction: repeated squaring gives one bit each. */
function log2X32(value: bigint): bigint {
  const top = value.toString(2).length - 1;
  let rest = top >= 63 ? value >> BigInt(top - 63) : value << BigInt(63 - top);
  let log = BigInt(top - 64) * Q32;
  for (let bit = 1; bit <= LOG_BITS; bit++) {
    rest *= rest;
    const carry = rest >> 127n;
    rest >>= 63n + carry;
    log += carry * (Q32 >> BigInt(bit));
  }
  return log;
}
