import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { maximum, U64_MAX } from '../../solana/units.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import { FORECAST_CLOSING_SECONDS } from './forecast-program.ts';
import { computeFairUpPrice, MICRO_USD } from './pricing/fair-price.ts';
import {
  computeAskPrice,
  computeBidPrice,
  computeBoughtTokens,
  computeCost,
  computeProceeds,
  computeSoldTokens,
  GREATEST_PRICE,
  LEAST_PRICE,
  type SideTerms,
} from './pricing/round-quote.ts';
import type { BisonFiPool } from './round-pool.ts';

const CLOSING_SECONDS = BigInt(FORECAST_CLOSING_SECONDS);
/** The greatest age of a price, in seconds. */
const MAX_AGE = 60n;
/** The confidence of a price is at most a fiftieth of it. */
const CONFIDENCE_SHARE = 50n;

/** What the house asks and pays for the next token of a side, in micro USD. */
export interface RoundPrices {
  /** Null while it sells none. */
  readonly buy: bigint | null;
  /** Null while it buys none. */
  readonly sell: bigint | null;
  readonly fair: bigint;
}

/**
 * Quotes `swap`.
 *
 * Returns null if the program would refuse it: the round is closing, its feed is not good, the price would leave its range, or
 * the vault could not pay what either side would win.
 */
export function quoteExactIn(
  pool: BisonFiPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  if (amount <= 0n || amount > U64_MAX) return null;
  const terms = findSideTerms(pool, clock);
  if (terms === null) return null;
  if (inputMint === pool.mints[0]) {
    const tokens = computeBoughtTokens(terms, amount);
    return tokens === null ? null : checkPurchase(pool, amount, tokens);
  }
  if (inputMint !== pool.mints[1]) return null;
  const proceeds = computeProceeds(terms, amount);
  return proceeds === null ? null : checkSale(pool, amount, proceeds);
}

/** Quotes the least input that pays at least `amount`, with what it pays, because the program has no exact output. */
export function quoteExactOut(
  pool: BisonFiPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const terms = findSideTerms(pool, clock);
  if (terms === null) return null;
  const buys = inputMint === pool.mints[0];
  const input = buys ? computeCost(terms, amount) : computeSoldTokens(terms, amount);
  return input === null ? null : quoteExactIn(pool, inputMint, input, clock);
}

/** Returns the prices of the next token of a side; null while the program refuses every swap. */
export function quoteRoundPrices(pool: BisonFiPool, clock: ChainClock): RoundPrices | null {
  const terms = findSideTerms(pool, clock);
  if (terms === null) return null;
  const [ask, bid] = [computeAskPrice(terms), computeBidPrice(terms)];
  return {
    buy: ask <= GREATEST_PRICE ? ask : null,
    sell: bid >= LEAST_PRICE ? bid : null,
    fair: terms.fair,
  };
}

/** Returns what decides the price of a side; null while the program refuses every swap. */
export function findSideTerms(pool: BisonFiPool, clock: ChainClock): SideTerms | null {
  const now = getLatestTime(pool, clock);
  const { closeTime, openPrice, deviation, halfSpread, slope, outstanding, otherOutstanding } = pool;
  if (now >= closeTime - CLOSING_SECONDS || !isGoodFeed(pool, now)) return null;
  const { price, publishTime: publishedAt } = pool.feed;
  const up = computeFairUpPrice({ price, openPrice, deviation, closeAt: closeTime, publishedAt });
  return {
    fair: pool.side === 'up' ? up : MICRO_USD - up,
    halfSpread,
    slope,
    imbalance: outstanding - otherOutstanding,
  };
}

/** The clock may be known as of an earlier slot than the feed, which cannot have been published after its own slot. */
function getLatestTime({ feed }: BisonFiPool, { slot, unixTimestamp }: ChainClock): bigint {
  return slot < feed.postedSlot ? maximum(unixTimestamp, feed.publishTime) : unixTimestamp;
}

function isGoodFeed({ feed, exponent }: BisonFiPool, now: bigint): boolean {
  const age = now - feed.publishTime;
  return (
    age >= 0n &&
    age <= MAX_AGE &&
    feed.price > 0n &&
    feed.confidence * CONFIDENCE_SHARE <= feed.price &&
    feed.exponent === exponent
  );
}

function checkPurchase(pool: BisonFiPool, amount: bigint, tokens: bigint): Quote | null {
  const { vaultAmount, outstanding, otherOutstanding } = pool;
  const after = outstanding + tokens;
  if (after > U64_MAX || vaultAmount + amount > U64_MAX) return null;
  if (vaultAmount + amount < maximum(after, otherOutstanding)) return null;
  return toQuote(pool, amount, tokens);
}

function checkSale(pool: BisonFiPool, tokens: bigint, proceeds: bigint): Quote | null {
  const { vaultAmount, outstanding, otherOutstanding } = pool;
  const after = outstanding - tokens;
  if (after < 0n || vaultAmount - proceeds < maximum(after, otherOutstanding)) return null;
  return toQuote(pool, tokens, proceeds);
}

/** The price includes everything, so there is no fee. */
function toQuote({ mints }: BisonFiPool, inAmount: bigint, outAmount: bigint): Quote {
  return { inAmount, outAmount, feeAmount: 0n, feeMint: mints[0] };
}
