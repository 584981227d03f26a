import fc from 'fast-check';
import type { AdaptiveFeeConstants, AdaptiveFeeVariables } from '../../protocols/whirlpool/program/oracle.ts';
import type { Tick } from '../../protocols/whirlpool/program/tick-array.ts';
import { isTickArrayStart, computeTickArrayStart } from '../../protocols/whirlpool/program/tick-array.ts';
import {
  MAX_SQRT_PRICE,
  MAX_TICK,
  MIN_SQRT_PRICE,
  MIN_TICK,
  computeSqrtPriceAtTick,
} from '../../protocols/whirlpool/program/tick-math.ts';

export interface LiquidityRange {
  readonly lower: number;
  readonly upper: number;
  readonly liquidity: bigint;
}

/** A pool's price and liquidity, as its positions make them; every number is one that the program can reach. */
export interface PoolCase {
  readonly tickSpacing: number;
  readonly feeRate: number;
  readonly protocolFeeRate: number;
  readonly tick: number;
  readonly sqrtPrice: bigint;
  readonly ranges: readonly LiquidityRange[];
  /**
   * Bit n is set where the arrays whose number is n modulo 8, of either sign, are of the dynamic form; these exist
   * without ticks, too. The others are fixed, or were never created.
   */
  readonly forms?: number;
}

export interface SwapCase extends PoolCase {
  readonly aToB: boolean;
  readonly exactIn: boolean;
  readonly amount: bigint;
}

const SPACINGS = [1, 2, 4, 8, 16, 64, 96, 128, 256, 32_896] as const;

/** Amounts of every size: each number of digits is as likely as another. */
const amount = fc.tuple(fc.integer({ min: 0, max: 19 }), fc.bigInt(1n, 9_999n)).map(([digits, lead]) => {
  const value = (lead * 10n ** BigInt(digits)) / 1000n;
  return value < 1n ? 1n : value > (1n << 64n) - 1n ? (1n << 64n) - 1n : value;
});

const near = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -120_000, max: 120_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: MIN_TICK, max: MIN_TICK + 12_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: MAX_TICK - 12_000, max: MAX_TICK }) },
  { weight: 1, arbitrary: fc.integer({ min: MIN_TICK, max: MAX_TICK }) },
);

/** A range relative to the current tick, in spacings, and the order of magnitude of its liquidity. */
const range = fc.record({
  from: fc.oneof(fc.integer({ min: -12, max: 6 }), fc.integer({ min: -280, max: 200 })),
  width: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 300 })),
  bits: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 18, max: 64 }) },
    fc.integer({ min: 1, max: 110 }),
  ),
  lead: fc.bigInt(1n, 0xffffn),
});

/** Where between its tick and the next the price stands, of 2^16; `below`: just crossed on the way down. */
const place = fc.record({ part: fc.oneof(fc.constant(0n), fc.bigInt(0n, 0xffffn)), below: fc.boolean() });

export const poolCase: fc.Arbitrary<PoolCase> = fc
  .record({
    tickSpacing: fc.constantFrom(...SPACINGS),
    feeRate: fc.oneof(fc.constantFrom(0, 100, 3000, 10_000, 60_000), fc.integer({ min: 0, max: 60_000 })),
    protocolFeeRate: fc.oneof(fc.constantFrom(0, 1300), fc.integer({ min: 0, max: 2500 })),
    near,
    onTick: fc.boolean(),
    place,
    ranges: fc.array(range, { minLength: 0, maxLength: 7 }),
    fullRangeBits: fc.option(fc.integer({ min: 20, max: 64 }), { freq: 3 }),
    forms: fc.oneof(fc.constantFrom(0, 255), fc.integer({ min: 0, max: 255 })),
  })
  .map((from) => {
    const { tickSpacing } = from;
    const lowest = Math.ceil(MIN_TICK / tickSpacing) * tickSpacing;
    const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
    const aligned = Math.min(highest, Math.max(lowest, Math.round(from.near / tickSpacing) * tickSpacing));
    const base = from.onTick ? aligned : from.near;
    const ranges: LiquidityRange[] = [];
    for (const { from: start, width, bits, lead } of from.ranges) {
      const lower = Math.max(lowest, aligned + start * tickSpacing);
      const upper = Math.min(highest, aligned + (start + width) * tickSpacing);
      if (lower < upper) ranges.push({ lower, upper, liquidity: scaled(lead, bits) });
    }
    if (from.fullRangeBits !== null) {
      ranges.push({ lower: lowest, upper: highest, liquidity: scaled(0xabcdn, from.fullRangeBits) });
    }
    return { ...pick(from), ...computeCasePrice(base, from.place), ranges, forms: from.forms };
  });

export const swapCase: fc.Arbitrary<SwapCase> = fc
  .record({ pool: poolCase, aToB: fc.boolean(), exactIn: fc.boolean(), amount })
  .map(({ pool, ...rest }) => ({ ...pool, ...rest }));

/** Volatility as swaps can leave it, and settings that the program accepts. */
export interface AdaptiveFeeCase {
  readonly constants: AdaptiveFeeConstants;
  readonly variables: AdaptiveFeeVariables;
}

/** For a pool of the spacing at the tick, at the time `now`. */
export function adaptiveFeeCase({ tickSpacing, tick }: PoolCase, now: bigint): fc.Arbitrary<AdaptiveFeeCase> {
  const divisors = [1, 2, 4, 8, 16, 32, 64, 128].filter((each) => tickSpacing % each === 0);
  const ago = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 4_000 }));
  return fc
    .record({
      tickGroupSize: fc.constantFrom(...divisors, tickSpacing),
      filterPeriod: fc.integer({ min: 1, max: 60 }),
      decays: fc.integer({ min: 1, max: 1_200 }),
      reductionFactor: fc.integer({ min: 0, max: 9_999 }),
      controlFactor: fc.oneof(fc.constantFrom(0, 1_500, 4_000), fc.integer({ min: 0, max: 99_999 })),
      groups: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 400_000 })),
      majorSwapTicks: fc.integer({ min: 1, max: Math.min(88 * tickSpacing, 0xffff) }),
      ago: fc.tuple(ago, ago),
      moved: fc.integer({ min: -40, max: 40 }),
      share: fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })),
    })
    .map(({ groups, decays, ago: [reference, major], moved, share, ...rest }) => {
      const maxVolatility = Math.min(groups * 10_000 + 5_000, Math.floor(0xffff_ffff / rest.tickGroupSize));
      const part = (of: number) => Math.floor((maxVolatility * of) / 100);
      const { tickGroupSize, filterPeriod, reductionFactor, controlFactor, majorSwapTicks } = rest;
      return {
        constants: {
          tickGroupSize,
          filterPeriod,
          reductionFactor,
          controlFactor,
          majorSwapTicks,
          maxVolatility,
          decayPeriod: filterPeriod + decays,
        },
        variables: {
          referenceUpdatedAt: now - BigInt(reference),
          majorSwapAt: now - BigInt(major),
          volatilityReference: part(share[0]),
          tickGroupReference: Math.floor(within(tick + moved * tickGroupSize) / tickGroupSize),
          volatility: part(share[1]),
        },
      };
    });
}

function within(tick: number): number {
  return Math.min(Math.max(tick, MIN_TICK), MAX_TICK);
}

function pick({
  tickSpacing,
  feeRate,
  protocolFeeRate,
}: Pick<PoolCase, 'tickSpacing' | 'feeRate' | 'protocolFeeRate'>) {
  return { tickSpacing, feeRate, protocolFeeRate };
}

function scaled(lead: bigint, bits: number): bigint {
  const value = (lead << BigInt(bits)) >> 16n;
  return value === 0n ? 1n : value;
}

function computeCasePrice(tick: number, { part, below }: { part: bigint; below: boolean }) {
  const at = computeSqrtPriceAtTick(tick);
  if (part === 0n || tick === MAX_TICK) {
    const crossed = below && at !== MIN_SQRT_PRICE;
    return { sqrtPrice: at, tick: crossed ? tick - 1 : tick };
  }
  const sqrtPrice = at + ((computeSqrtPriceAtTick(tick + 1) - at) * part) / 0x10000n;
  return { sqrtPrice: sqrtPrice > MAX_SQRT_PRICE ? MAX_SQRT_PRICE : sqrtPrice, tick };
}

/** The liquidity at the current tick. */
export function computeCurrentLiquidity({ tick, ranges }: Pick<PoolCase, 'tick' | 'ranges'>): bigint {
  return ranges
    .filter(({ lower, upper }) => lower <= tick && tick < upper)
    .reduce((sum, { liquidity }) => sum + liquidity, 0n);
}

/** Every tick at which some range ends, lowest first. */
function listRangeTicks(ranges: readonly LiquidityRange[]): Tick[] {
  const net = new Map<number, bigint>();
  const gross = new Map<number, bigint>();
  const add = (to: Map<number, bigint>, tick: number, by: bigint) => to.set(tick, (to.get(tick) ?? 0n) + by);
  for (const { lower, upper, liquidity } of ranges) {
    add(net, lower, liquidity);
    add(net, upper, -liquidity);
    add(gross, lower, liquidity);
    add(gross, upper, liquidity);
  }
  return [...net]
    .sort(([one], [other]) => one - other)
    .map(([index, liquidityNet]) => ({
      index,
      liquidityNet,
      liquidityGross: gross.get(index) ?? 0n,
      feeGrowthOutside: [0n, 0n],
    }));
}

/** The ticks by the start of the array that holds them. */
export function groupTicksByArray(
  ranges: readonly LiquidityRange[],
  tickSpacing: number,
): Map<number, Tick[]> {
  const arrays = new Map<number, Tick[]>();
  for (const tick of listRangeTicks(ranges)) {
    const start = computeTickArrayStart(tick.index, tickSpacing);
    if (!isTickArrayStart(start, tickSpacing)) throw new RangeError(`no array starts at ${start}`);
    const ticks = arrays.get(start);
    if (ticks === undefined) arrays.set(start, [tick]);
    else ticks.push(tick);
  }
  return arrays;
}
