import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import type { Store } from '../../store/index.ts';
import type { Tokens } from '../../tokens/tokens.ts';
import { defineProduct } from '../product.ts';
import { history } from './endpoints/history.ts';
import { platforms } from './endpoints/platforms.ts';
import { positions, positionsOfWallet } from './endpoints/positions.ts';
import { positionsStream } from './endpoints/positions-stream.ts';
import { stakedJup, stakedJupOfWallet } from './endpoints/staked-jup.ts';
import { HourlyValues } from './history/hourly-values.ts';
import { ValueStore } from './history/value-store.ts';
import { Portfolios } from './evaluation/portfolios.ts';
import { type PricedCollection, createPricing } from './pricing.ts';
import { PortfolioFollower } from './stream/follow.ts';

/** Milliseconds after which a fetcher is abandoned. */
const FETCHER_DEADLINE_MS = 8_000;

export interface PortfolioDependencies {
  readonly market: { readonly chain: Chain; readonly pools: Pools; readonly prices: Prices };
  /** Knows which tokens are verified. */
  readonly tokens: Pick<Tokens, 'listedAs'>;
  /** The fetchers of all protocols, in the order of their reports. */
  readonly positionFetchers: readonly PositionFetcher[];
  /** The collections of collectibles whose floor prices are known, because Sluice follows no market of collectibles. */
  readonly collections: readonly PricedCollection[];
  /** Whether positions that few wallets have are always searched for, even where that takes a call to an outside RPC. */
  readonly searchesRarePositions: boolean;
  readonly store: Store;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export const portfolio = defineProduct({
  name: 'portfolio',
  description: 'What a wallet owns, over all products and platforms.',
  basePaths: ['/portfolio'],
  examples: [],
  endpoints: [
    positions,
    positionsOfWallet,
    positionsStream,
    history,
    platforms,
    stakedJup,
    stakedJupOfWallet,
  ],
  open: ({
    market: { chain, pools, prices },
    tokens,
    positionFetchers,
    collections,
    searchesRarePositions,
    store,
    onDefect,
  }: PortfolioDependencies) => {
    const portfolios = new Portfolios({
      chain,
      fetchers: positionFetchers,
      timers: SYSTEM_TIMERS,
      deadlineMs: FETCHER_DEADLINE_MS,
      ...createPricing(pools, prices, collections),
      listed: (mint) => tokens.listedAs(mint),
      searchesRare: searchesRarePositions,
      onDefect: (fetcherId, error) => onDefect(`positions of ${fetcherId}`, error),
    });
    const follower = new PortfolioFollower({ chain, portfolios, timers: SYSTEM_TIMERS });
    const values = new ValueStore(store, chain.genesisHash);
    const hourly = new HourlyValues({
      store: values,
      portfolios,
      timers: SYSTEM_TIMERS,
      onDefect: (error) => onDefect('hourly values of wallets', error),
    });
    return {
      services: { portfolios, follower, values, now: SYSTEM_TIMERS.now },
      close: () => hourly.close(),
    };
  },
});
