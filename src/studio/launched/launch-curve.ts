import {
  computeBaseBetween,
  computeQuoteBetween,
} from '../../protocols/meteora-dbc/program/curve-amounts.ts';
import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import type { Address } from '../../solana/address.ts';
import { maximum, minimum } from '../../solana/units.ts';
import { findLaunchAddresses, type LaunchAddressDependencies } from './launch-addresses.ts';
import { type LaunchState, readLaunch } from './read-launch.ts';

/** A place of a curve: what has been sold and raised once the price is there. */
export interface LaunchCurvePoint {
  /** The Q64.64 square root of the price of a base unit of the token in base units of the quote token. */
  readonly sqrtPrice: bigint;
  /** Base units of the launched token. */
  readonly sold: bigint;
  /** Base units of the quote token. */
  readonly raised: bigint;
}

/** The curve of a launch, and how far it is. */
export interface LaunchCurveState {
  readonly pool: Address;
  readonly quoteMint: Address;
  /** Decimals of the launched token. */
  readonly decimals: number;
  /** What has been raised when the curve is complete, in base units of the quote token. */
  readonly target: bigint;
  readonly isComplete: boolean;
  /** Whether the liquidity has left the curve. */
  readonly isMigrated: boolean;
  /** Where the curve is now. `raised` is what the pool holds. */
  readonly now: LaunchCurvePoint;
  /** From the start of the curve to its completion. */
  readonly points: readonly LaunchCurvePoint[];
}

/** About how many points a curve is drawn with. */
const DRAWN_POINTS = 48;

/**
 * Reads the curve of a launched mint.
 *
 * Returns null if the mint was not launched on a curve.
 *
 * @throws ChainUnavailable when the network does not answer, or an account cannot be decoded.
 */
export async function readLaunchCurve(
  dependencies: LaunchAddressDependencies,
  mint: Address,
): Promise<LaunchCurveState | null> {
  const found = await findLaunchAddresses(dependencies, mint);
  const launch = found === null ? null : await readLaunch(dependencies, found.curve);
  return launch === null ? null : describeCurve(launch);
}

/** Describes a curve from its account and its terms. */
export function describeCurve({ address, pool, config }: LaunchState): LaunchCurveState {
  const { sqrtPrice, quoteReserve, isMigrated } = pool;
  const { quoteMint, tokenDecimal, migrationQuoteThreshold: target, migrationSqrtPrice } = config;
  return {
    pool: address,
    quoteMint,
    decimals: tokenDecimal,
    target,
    isComplete: quoteReserve >= target || isMigrated !== 0,
    isMigrated: isMigrated !== 0,
    now: { ...computePoint(config, minimum(sqrtPrice, migrationSqrtPrice)), raised: quoteReserve },
    points: listDrawnPrices(config).map((price) => computePoint(config, price)),
  };
}

/** Divides each part of the curve evenly by its price, so that the bends between them are points too. */
function listDrawnPrices({ sqrtStartPrice, migrationSqrtPrice, curve }: DbcPoolConfig): readonly bigint[] {
  const ends = [sqrtStartPrice, ...curve.map(({ sqrtPrice }) => minimum(sqrtPrice, migrationSqrtPrice))];
  const steps = BigInt(Math.ceil(DRAWN_POINTS / Math.max(curve.length, 1)));
  const prices = new Set([sqrtStartPrice]);
  for (let index = 1; index < ends.length; index++) {
    const [lower, upper] = [ends[index - 1] as bigint, ends[index] as bigint];
    for (let step = 1n; step <= steps; step++) prices.add(lower + ((upper - lower) * step) / steps);
  }
  return [...prices];
}

/** Sums what the curve has sold and raised between its start and a price. Rounded as the program rounds it for its own benefit. */
function computePoint({ sqrtStartPrice, curve }: DbcPoolConfig, sqrtPrice: bigint): LaunchCurvePoint {
  let lower = sqrtStartPrice;
  let [sold, raised] = [0n, 0n];
  for (const { sqrtPrice: end, liquidity } of curve) {
    const upper = maximum(lower, minimum(end, sqrtPrice));
    sold += computeBaseBetween(lower, upper, liquidity, false);
    raised += computeQuoteBetween(lower, upper, liquidity, true);
    lower = upper;
  }
  return { sqrtPrice, sold, raised };
}
