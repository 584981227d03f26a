import type { Chain } from '../../../chain/chain.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { Prices } from '../../../market/prices/prices.ts';
import type { StakingAprOf } from '../../../lend/assets/asset.ts';
import type { Store } from '../../../store/index.ts';
import type { EarnSources } from '../../../lend/earn/earn-sources.ts';
import { EarnMarkets } from '../../../lend/earn/markets/earn-markets.ts';
import { EarnHistory } from './history/earn-history.ts';
import { HistoryStore } from './history/history-store.ts';

export interface EarnServices extends EarnSources {
  readonly history: EarnHistory;
  readonly movements: HistoryStore;
}

export interface EarnDependencies {
  readonly chain: Chain;
  readonly prices: Prices;
  readonly stakingAprOf: StakingAprOf;
  readonly store: Store;
  /** Returns the first slot from which the instance's own network keeps all transactions; null over an outside RPC. */
  readonly ownHistoryFrom: (() => Promise<bigint>) | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Reads all earn tokens, keeps them current, and follows deposits and withdrawals until `close` is called.
 * @throws ChainUnavailable when the network does not answer
 */
export async function openEarn(dependencies: EarnDependencies): Promise<{
  readonly services: EarnServices;
  readonly close: () => Promise<void>;
}> {
  const { chain, prices, stakingAprOf, store, ownHistoryFrom, onDefect } = dependencies;
  const markets = await EarnMarkets.open(chain, onDefect);
  const movements = new HistoryStore(store, chain.genesisHash);
  const history = new EarnHistory({
    chain,
    store: movements,
    markets,
    ownHistoryFrom,
    timers: SYSTEM_TIMERS,
    onDefect,
  });
  const close = async () => {
    await history.close();
    markets.close();
  };
  try {
    await history.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { services: { chain, prices, stakingAprOf, markets, history, movements }, close };
}
