import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { computeAskPrice, computeBidPrice, GREATEST_PRICE, LEAST_PRICE } from './pricing/round-quote.ts';
import type { BisonFiPool } from './round-pool.ts';
import { findSideTerms } from './round-pool-quote.ts';

const MICRO = 1e6;
const SLOPE_TOKENS = 1e9;
const LEAST = Number(LEAST_PRICE);
const GREATEST = Number(GREATEST_PRICE);

/**
 * The house pays nothing where it would refuse. Nor does it at the end of time, so that tokens that live for minutes have no
 * price among those that last.
 */
export function estimate(pool: BisonFiPool, inputMint: Address, amount: number, clock: ChainClock): number {
  const terms = findSideTerms(pool, clock);
  if (terms === null) return 0;
  const slope = Number(pool.slope) / SLOPE_TOKENS;
  const [held, own, other] = [pool.vaultAmount, pool.outstanding, pool.otherOutstanding].map(Number) as [
    number,
    number,
    number,
  ];
  if (inputMint === pool.mints[0]) {
    const price = Number(computeAskPrice(terms));
    const tokens = computeTokens(price, slope, amount);
    const isOffered = price + slope * tokens <= GREATEST && held + amount >= Math.max(own + tokens, other);
    return isOffered ? tokens : 0;
  }
  const price = Number(computeBidPrice(terms));
  if (amount > own || price - slope * amount < LEAST) return 0;
  const proceeds = ((price - (slope * amount) / 2) * amount) / MICRO;
  return held - proceeds >= Math.max(own - amount, other) ? proceeds : 0;
}

/** The root of the quadratic equation, in the form that keeps its digits where the slope is small. */
function computeTokens(price: number, slope: number, amount: number): number {
  const doubled = 2 * amount * MICRO;
  return doubled / (price + Math.sqrt(price * price + slope * doubled));
}
