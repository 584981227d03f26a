import type { Chain, ChainClock } from '../../chain/chain.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { ForecastSideTerms } from '../../predictions/prediction.ts';
import { FORECAST_USDC } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { computeProceeds } from '../../protocols/bisonfi-forecast/pricing/round-quote.ts';
import { findSideTerms, quoteRoundPrices } from '../../protocols/bisonfi-forecast/round-pool-quote.ts';
import type { BisonFiPool } from '../../protocols/bisonfi-forecast/round-pool.ts';

/** What the first millionth of a token costs and brings now, in micro USD for a token; null where the round trades no more of it. */
export interface ForecastPrices {
  readonly buy: bigint | null;
  readonly sell: bigint | null;
}

/** Contracts at their average price, in micro USD for a token. They are millionths of a token. */
export interface ForecastBookLevel {
  readonly price: bigint;
  readonly contracts: bigint;
}

/** What a round pays for a side's tokens, and what it asks for them, the best first. */
export interface ForecastBook {
  readonly bids: readonly ForecastBookLevel[];
  readonly asks: readonly ForecastBookLevel[];
}

/** What the sides of rounds cost, by the program's own arithmetic, the feed and the clock of now. Answered from memory. */
export interface ForecastQuotes {
  /** Returns null if the side is not traded now. */
  readonly getPrices: (side: Pick<ForecastSideTerms, 'pool' | 'lifecycle'>) => ForecastPrices | null;
  /** Returns null if the side is not traded now. */
  readonly getBook: (side: Pick<ForecastSideTerms, 'pool' | 'lifecycle'>) => ForecastBook | null;
}

/** Contracts of each level of a book, and how many levels a side of it has at the most. */
const [LEVEL_CONTRACTS, MAX_LEVELS] = [250_000_000n, 8];
const MICRO_PER_TOKEN = 1_000_000n;

/** Creates the quotes of all rounds whose pools are followed. */
export function createForecastQuotes({
  pools,
  chain,
}: {
  readonly pools: Pick<Pools, 'find'>;
  readonly chain: Pick<Chain, 'clock'>;
}): ForecastQuotes {
  const getPrices: ForecastQuotes['getPrices'] = ({ pool, lifecycle }) => {
    const handle = lifecycle === 'open' ? pools.find(pool) : null;
    // A side's pool is always of the venue of forecasts.
    return handle === null ? null : quoteRoundPrices(handle.pool as BisonFiPool, chain.clock());
  };
  return {
    getPrices,
    getBook: (side) => {
      const handle = side.lifecycle === 'open' ? pools.find(side.pool) : null;
      return handle === null ? null : listBook(handle, chain.clock());
    },
  };
}

function listBook({ venue, pool }: PoolHandle, clock: ChainClock): ForecastBook | null {
  const terms = findSideTerms(pool as BisonFiPool, clock);
  if (terms === null) return null;
  return {
    // Of tokens that somebody still has to buy, too.
    bids: listLevels((contracts) => computeProceeds(terms, contracts)),
    asks: listLevels(
      (contracts) => venue.quoteExactOut(pool, FORECAST_USDC, contracts, clock)?.inAmount ?? null,
    ),
  };
}

/** @param amountOf - Returns what so many contracts cost or bring; null if the round does not trade as many. */
function listLevels(amountOf: (contracts: bigint) => bigint | null): readonly ForecastBookLevel[] {
  const levels: ForecastBookLevel[] = [];
  let before = 0n;
  while (levels.length < MAX_LEVELS) {
    const amount = amountOf(BigInt(levels.length + 1) * LEVEL_CONTRACTS);
    if (amount === null) break;
    levels.push({
      price: ((amount - before) * MICRO_PER_TOKEN) / LEVEL_CONTRACTS,
      contracts: LEVEL_CONTRACTS,
    });
    before = amount;
  }
  return levels;
}
