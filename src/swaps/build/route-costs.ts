import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/programs/message-fee.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { divideUp } from '../../solana/units.ts';
import { SwapRefused } from '../refusals.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** Compute units with the margin of an order: around the route, and for each of its steps. */
const UNITS_AROUND = 40_000;
const UNITS_PER_STEP = 60_000;
/** For opening and closing an account between two steps. */
const UNITS_PER_PASSED = 40_000;

/** Returns the mints that a route leads through, each once: those that its steps spend, without the input of the swap. */
export function collectPassedMints({ legs }: Pick<Route, 'legs'>): ReadonlySet<Address> {
  const [source] = legs;
  const mints = new Set(legs.map(({ inputMint }) => inputMint));
  if (source !== undefined) mints.delete(source.inputMint);
  return mints;
}

/** Computes the priority fee of so many compute units, in lamports. */
export type Priority = (units: number) => bigint;

/** Estimates the compute units of a swap before it is simulated. */
export function estimateUnits(route: Pick<Route, 'legs'>): number {
  const passed = collectPassedMints(route).size;
  return UNITS_AROUND + route.legs.length * UNITS_PER_STEP + passed * UNITS_PER_PASSED;
}

/** The units of a route over one pool, which is the cheapest there is. */
const LEAST_UNITS = UNITS_AROUND + UNITS_PER_STEP;

/**
 * Estimates the network's fees that a route costs more than one over a single pool: priority for more steps, and the
 * signature of a maker.
 *
 * @param priorityNow - Returns what computes a priority fee by the recent ones. Called at most once, and not for one pool.
 * @returns lamports
 */
export function estimateExtraFees(route: Pick<Route, 'legs'>, priorityNow: () => Priority): bigint {
  const signatures = route.legs.some(({ handle: { venue } }) => venue.wholeLots === true)
    ? LAMPORTS_PER_SIGNATURE
    : 0n;
  if (route.legs.length === 1) return signatures;
  const priority = priorityNow();
  const more = priority(estimateUnits(route)) - priority(LEAST_UNITS);
  return signatures + (more > 0n ? more : 0n);
}

/**
 * Computes the rent of an associated token account of a mint.
 * @throws SwapRefused when the mint does not exist
 */
export function computeTokenAccountRent(pools: Pick<Pools, 'account'>, mint: Address): bigint {
  const account = pools.account(mint);
  if (account === null) throw new SwapRefused(`the mint ${mint} does not exist`);
  return computeRentByMint(account);
}

/** A mint is decoded once after each of its changes, and not with every swap. */
const computeRentByMint = cachePerAccount(({ owner, data }) =>
  computeRentExemptMinimum(computeAssociatedAccountSize(owner, decodeMint(data))),
);

/** A swap that lamports are compared with. Amounts are atoms. */
export interface ComparedSwap {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
}

/** Dollars are compared as whole billionths. */
const BILLION = 1e9;

/**
 * Converts what a swap costs beyond its amounts into atoms of its output, rounded up. With SOL as output they are the same;
 * with SOL as input the swap's own rate applies. Otherwise lamports and input are valued by deep pools, or lamports and
 * output where no deep pool prices the input.
 *
 * Returns 0 if no deep pool prices SOL, or neither of the two tokens: then swaps are compared by what they pay alone.
 */
export function convertLamportsToOutput(
  prices: Pick<Prices, 'deepDollarsPerAtom'>,
  { inputMint, outputMint, inAmount, outAmount }: ComparedSwap,
  lamports: bigint,
): bigint {
  if (lamports <= 0n || outputMint === WRAPPED_SOL_MINT) return lamports;
  if (inputMint === WRAPPED_SOL_MINT) return divideUp(outAmount * lamports, inAmount);
  // By the prices alone: what the pools could pay out for a large amount would make the costs seem larger than they are.
  const worthOf = (mint: Address, atoms: bigint) => {
    const price = prices.deepDollarsPerAtom(mint);
    return price === null ? null : billionths(price * Number(atoms));
  };
  const cost = worthOf(WRAPPED_SOL_MINT, lamports);
  const worth = worthOf(inputMint, inAmount) ?? worthOf(outputMint, outAmount);
  return cost === null || worth === null ? 0n : divideUp(outAmount * cost, worth);
}

/** Null also for what is worth nothing, because nothing can be compared with it. */
function billionths(dollars: number): bigint | null {
  if (!(dollars * BILLION >= 1) || !Number.isFinite(dollars)) return null;
  return BigInt(Math.ceil(dollars * BILLION));
}
