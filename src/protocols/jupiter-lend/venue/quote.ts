import type { ChainClock } from '../../../chain/chain.ts';
import { LendingOverflow, PRICE_ONE } from '../lending-base/amounts.ts';
import { depositAssets, type EarnResult, redeemShares } from '../lending/shares.ts';
import { type LendingPrices, computeLendingPricesAt } from '../lending/token-price.ts';
import { MIN_OPERATE_AMOUNT } from '../liquidity/operate-liquidity.ts';
import type { Address } from '../../../solana/address.ts';
import { U64_MAX, maximum, divideUp } from '../../../solana/units.ts';
import type { Quote } from '../../../protocol/venue/venue.ts';
import type { LendingPool } from './pool.ts';

/**
 * Quotes a deposit for receipt tokens, or their redemption, at the exchange price of the clock's second. The price grows
 * every second: a deposit that lands later pays less by what the receipt token has earned in between (about 0.002 basis
 * points a minute at 10 % a year), and a redemption pays more.
 *
 * Returns null if it would be refused: the amount is worth less than the program moves, exceeds what may be withdrawn
 * now, or exceeds what the reserve holds.
 */
export function quoteExactIn(
  pool: LendingPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const deposits = inputMint === pool.mint;
  if (!deposits && inputMint !== pool.receiptMint) return null;
  // The largest number means the whole balance to the program.
  if (amount <= 0n || amount >= U64_MAX) return null;
  const predict = deposits ? depositAssets : redeemShares;
  const moved = withinRange(() => predict(pool.earn, amount, clock.unixTimestamp));
  if (moved === null || !moved.ok || moved.state.shares > U64_MAX || moved.state.shares < 0n) return null;
  return {
    inAmount: deposits ? moved.assets : moved.shares,
    outAmount: deposits ? moved.shares : moved.assets,
    feeAmount: 0n,
    feeMint: inputMint,
  };
}

/**
 * Quotes the least input that pays at least `amount`, with what it pays, because the aggregator's steps have no exact
 * output.
 */
export function quoteExactOut(
  pool: LendingPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  if (amount <= 0n || amount > U64_MAX) return null;
  const prices = withinRange(() => pricesAt(pool, clock.unixTimestamp));
  if (prices === null) return null;
  const input =
    inputMint === pool.mint ? leastAssetsFor(pool, amount, prices) : leastSharesFor(amount, prices);
  return quoteExactIn(pool, inputMint, input, clock);
}

function pricesAt({ earn }: LendingPool, now: bigint): LendingPrices | null {
  const { lending, rewards, shares, liquidity } = earn;
  return computeLendingPricesAt({ lending, rewards, shares, reserve: liquidity.reserve }, now);
}

/** Inverts the deposit's divisions, which are all rounded down, from the last one to the first. */
function leastAssetsFor({ earn }: LendingPool, shares: bigint, prices: LendingPrices): bigint {
  const registered = divideUp(shares * prices.token, PRICE_ONE);
  const raw = divideUp(registered * PRICE_ONE, prices.liquidity);
  const withInterest = earn.liquidity.supply?.withInterest === true;
  const assets = withInterest ? divideUp(raw * prices.liquidity, PRICE_ONE) : raw;
  return maximum(assets, MIN_OPERATE_AMOUNT);
}

function leastSharesFor(assets: bigint, prices: LendingPrices): bigint {
  return divideUp(maximum(assets, MIN_OPERATE_AMOUNT) * PRICE_ONE, prices.token);
}

/** Returns null where the program fails because a number does not fit its field. */
function withinRange<T extends EarnResult | LendingPrices>(compute: () => T | null): T | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof LendingOverflow) return null;
    throw error;
  }
}
