import type { Chain } from '../chain/chain.ts';
import type { Timers } from '../common/ports/timers.ts';
import type { Pools } from '../market/pools/pools.ts';
import type { Venue } from '../protocol/venue/venue.ts';
import type { Address } from '../solana/address.ts';
import type { Store } from '../store/index.ts';
import type { TradeStatsOptions } from './stats/trade-stats.ts';

export interface MarketDataOptions extends Omit<TradeStatsOptions, 'now'> {
  readonly chain: Pick<Chain, 'genesisHash' | 'slot' | 'clock' | 'executed' | 'reported' | 'getAccounts'>;
  readonly store: Store;
  readonly pools: Pools;
  readonly venues: readonly Venue[];
  /** The programs in which market makers fill swaps, with the labels of their trades. */
  readonly fillPrograms: Readonly<Record<Address, string>>;
  readonly timers: Timers;
  /** Called when something failed in the background. It is tried again. */
  readonly onDefect: (where: string, error: unknown) => void;
}
