import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { Quote } from '../../protocol/venue/venue.ts';

/** The swap that brings a pool to outside prices. */
export interface Arbitrage {
  readonly handle: PoolHandle;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly quote: Quote;
  /** The value of the output minus that of the input, in dollars. */
  readonly profit: number;
}

/** The smallest and the largest trade that the search considers, in dollars. */
const SMALLEST = 10;
const LARGEST = 100_000_000;
const STEPS = 60;
/** Each step of a golden-section search keeps this share of the interval. */
const SECTION = (Math.sqrt(5) - 1) / 2;

/**
 * Finds the swap through a pool that earns most at the given prices. After it, a further atom would earn nothing: the
 * pool's price, with its fee, is the outside one.
 *
 * @param dollarsPerAtom - The outside price of each of the pool's mints.
 * @returns null when no swap earns anything, or a mint has no price
 */
export function findBestArbitrage(
  handle: PoolHandle,
  dollarsPerAtom: (mint: Address) => number | null,
  clock: ChainClock,
): Arbitrage | null {
  const [one, other] = handle.pool.mints;
  return (
    bestFrom(handle, one, other, dollarsPerAtom, clock) ?? bestFrom(handle, other, one, dollarsPerAtom, clock)
  );
}

function bestFrom(
  handle: PoolHandle,
  inputMint: Address,
  outputMint: Address,
  dollarsPerAtom: (mint: Address) => number | null,
  clock: ChainClock,
): Arbitrage | null {
  const [paid, received] = [dollarsPerAtom(inputMint), dollarsPerAtom(outputMint)];
  if (paid === null || received === null) return null;
  const tryTrade = (dollars: number): Arbitrage | null => {
    const amount = BigInt(Math.round(dollars / paid));
    if (amount === 0n) return null;
    const quote = handle.venue.quoteExactIn(handle.pool, inputMint, amount, clock);
    if (quote === null) return null;
    const profit = Number(quote.outAmount) * received - Number(quote.inAmount) * paid;
    return { handle, inputMint, outputMint, quote, profit };
  };
  const computeProfit = (logarithm: number) =>
    tryTrade(Math.exp(logarithm))?.profit ?? Number.NEGATIVE_INFINITY;
  let [low, high] = [Math.log(SMALLEST), Math.log(LARGEST)];
  // The output per atom falls as the trade grows, so if the smallest trade loses money, every larger one does too. A loss of
  // less than one atom tells nothing, because outputs are rounded down.
  if (computeProfit(low) <= -received) return null;
  let [left, right] = [high - SECTION * (high - low), low + SECTION * (high - low)];
  let [leftProfit, rightProfit] = [computeProfit(left), computeProfit(right)];
  for (let step = 0; step < STEPS; step++) {
    // If the pool can pay for neither size, the best size is below both.
    if (leftProfit >= rightProfit) {
      [high, right, rightProfit] = [right, left, leftProfit];
      left = high - SECTION * (high - low);
      leftProfit = computeProfit(left);
    } else {
      [low, left, leftProfit] = [left, right, rightProfit];
      right = low + SECTION * (high - low);
      rightProfit = computeProfit(right);
    }
  }
  const best = tryTrade(Math.exp((low + high) / 2));
  return best !== null && best.profit > 0 ? best : null;
}
