import { minimum, maximum } from '../../../solana/units.ts';
import type { AdaptiveFeeConstants, AdaptiveFeeVariables, Oracle } from '../program/oracle.ts';
import { MAX_TICK, MIN_TICK, computeSqrtPriceAtTick, computeTickAtSqrtPrice } from '../program/tick-math.ts';

/** Volatility counts tick groups, times this. */
const VOLATILITY_SCALE = 10_000;
const REDUCTION_DENOMINATOR = 10_000;
const CONTROL_DENOMINATOR = 100_000n;
/** Seconds after which a reference is forgotten, however busy the pool is. */
const MAX_REFERENCE_LENGTH = 3_600n;
/** Millionths: no fee is above a tenth. */
const MAX_FEE_RATE = 100_000n;
const U32_MAX = 0xffff_ffff;

/** The tick groups beyond which volatility is at its maximum, and the prices at their outer ends. */
interface Bound {
  readonly group: number;
  readonly sqrtPrice: bigint;
}

/** Returns what is wrong with an oracle that would make the program fail; null if it is sound. */
export function findOracleFault({ constants, variables }: Oracle, tickSpacing: number): string | null {
  const { tickGroupSize, maxVolatility } = constants;
  if (tickGroupSize === 0 || tickSpacing % tickGroupSize !== 0) {
    return `tick groups of ${tickGroupSize} do not divide the spacing of ${tickSpacing}`;
  }
  if (maxVolatility * tickGroupSize > U32_MAX) return `the greatest volatility is ${maxVolatility}`;
  const { tickGroupReference: group } = variables;
  const isInBounds =
    group >= computeTickGroup(MIN_TICK, constants) && group <= computeTickGroup(MAX_TICK, constants);
  return isInBounds ? null : `the tick group ${group} is out of bounds`;
}

function computeTickGroup(tick: number, { tickGroupSize }: AdaptiveFeeConstants): number {
  return Math.floor(tick / tickGroupSize);
}

/**
 * Computes the millionths that volatility adds to a pool's fee, rounded up. They grow with the square of the ticks
 * crossed.
 */
export function computeAdaptiveRate(
  { controlFactor, tickGroupSize }: AdaptiveFeeConstants,
  volatility: number,
): bigint {
  const crossed = BigInt(volatility) * BigInt(tickGroupSize);
  const scale = BigInt(VOLATILITY_SCALE);
  const denominator = CONTROL_DENOMINATOR * scale * scale;
  return (BigInt(controlFactor) * crossed * crossed + denominator - 1n) / denominator;
}

/** The fee, and the most that one swap may add to it. */
export function totalRate(feeRate: bigint, adaptive: bigint): bigint {
  const total = feeRate + adaptive;
  return total > MAX_FEE_RATE ? MAX_FEE_RATE : total;
}

/**
 * Returns the reference from which a swap at `now` is measured: the stored one, or the current tick group with the
 * volatility that has not decayed. Null if the program refuses because the clock went back.
 */
function referenceAt(
  { constants, variables }: Oracle,
  tickGroup: number,
  now: bigint,
): AdaptiveFeeVariables | null {
  const { referenceUpdatedAt, majorSwapAt } = variables;
  const latest = maximum(referenceUpdatedAt, majorSwapAt);
  if (now < latest) return null;
  const renewed = (volatilityReference: number): AdaptiveFeeVariables => ({
    ...variables,
    tickGroupReference: tickGroup,
    volatilityReference,
    referenceUpdatedAt: now,
  });
  if (now - referenceUpdatedAt > MAX_REFERENCE_LENGTH) return renewed(0);
  const elapsed = now - latest;
  if (elapsed < BigInt(constants.filterPeriod)) return variables;
  if (elapsed >= BigInt(constants.decayPeriod)) return renewed(0);
  return renewed(Math.floor((variables.volatility * constants.reductionFactor) / REDUCTION_DENOMINATOR));
}

/** The fee along one swap, which rises with each tick group that it crosses (`FeeRateManager` of the public program). */
export class FeeAlongSwap {
  readonly #constants: AdaptiveFeeConstants;
  readonly #reference: AdaptiveFeeVariables;
  readonly #aToB: boolean;
  readonly #lower: Bound | null;
  readonly #upper: Bound | null;
  #group: number;
  #skips = false;

  private constructor(
    constants: AdaptiveFeeConstants,
    reference: AdaptiveFeeVariables,
    group: number,
    aToB: boolean,
  ) {
    this.#constants = constants;
    this.#reference = reference;
    this.#group = group;
    this.#aToB = aToB;
    const { tickGroupSize: size, maxVolatility } = constants;
    const reach = Math.ceil((maxVolatility - reference.volatilityReference) / VOLATILITY_SCALE);
    const [lower, upper] = [reference.tickGroupReference - reach, reference.tickGroupReference + reach];
    const above = upper * size + size;
    this.#lower =
      lower * size > MIN_TICK ? { group: lower, sqrtPrice: computeSqrtPriceAtTick(lower * size) } : null;
    this.#upper = above < MAX_TICK ? { group: upper, sqrtPrice: computeSqrtPriceAtTick(above) } : null;
  }

  /** Returns null if the program refuses to swap at `now`. */
  static begin(oracle: Oracle, tick: number, aToB: boolean, now: bigint): FeeAlongSwap | null {
    if (now < oracle.tradeEnabledAt) return null;
    const group = computeTickGroup(tick, oracle.constants);
    const reference = referenceAt(oracle, group, now);
    // The program fails on the difference of the two.
    if (reference === null || reference.volatilityReference > oracle.constants.maxVolatility) return null;
    return new FeeAlongSwap(oracle.constants, reference, group, aToB);
  }

  /** Millionths on top of the pool's own fee, at the current tick group. */
  rate(): bigint {
    const { volatilityReference, tickGroupReference } = this.#reference;
    const crossed = Math.abs(tickGroupReference - this.#group) * VOLATILITY_SCALE;
    const volatility = Math.min(volatilityReference + crossed, this.#constants.maxVolatility);
    return computeAdaptiveRate(this.#constants, volatility);
  }

  /** The price on the way to `target` up to which the rate does not change. */
  bounded(target: bigint, liquidity: bigint): bigint {
    const [aToB, group] = [this.#aToB, this.#group];
    this.#skips = true;
    if (this.#constants.controlFactor === 0 || liquidity === 0n) return target;
    if (this.#lower !== null && group < this.#lower.group) {
      return aToB ? target : minimum(target, this.#lower.sqrtPrice);
    }
    if (this.#upper !== null && group > this.#upper.group) {
      return aToB ? maximum(target, this.#upper.sqrtPrice) : target;
    }
    this.#skips = false;
    const boundary = (aToB ? group : group + 1) * this.#constants.tickGroupSize;
    const end = computeSqrtPriceAtTick(Math.min(Math.max(boundary, MIN_TICK), MAX_TICK));
    return aToB ? maximum(target, end) : minimum(target, end);
  }

  /** Moves to the next tick group after a step led to `sqrtPrice`; `stop` is the tick whose price is `target`. */
  advance(sqrtPrice: bigint, target: bigint, stop: number): void {
    if (this.#skips) this.#catchUp(sqrtPrice, target, stop);
    this.#group += this.#aToB ? -1 : 1;
  }

  /** Moves to the last group that a step crossed without ending at the group's end; never backwards. */
  #catchUp(sqrtPrice: bigint, target: bigint, stop: number): void {
    const size = this.#constants.tickGroupSize;
    const tick = sqrtPrice === target ? stop : computeTickAtSqrtPrice(sqrtPrice);
    const onBoundary =
      tick % size === 0 && (sqrtPrice === target || sqrtPrice === computeSqrtPriceAtTick(tick));
    const last = computeTickGroup(tick, this.#constants) - (onBoundary && !this.#aToB ? 1 : 0);
    if (this.#aToB ? last < this.#group : last > this.#group) this.#group = last;
  }
}
