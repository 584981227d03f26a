import type { Chain } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import type { Candle, TokenCandle } from '../series/bars.ts';
import type { Trade, TradedAmount } from '../trades/trade.ts';
import { PoolTradeFinder, type PoolTrade } from './pool-changes.ts';
import { PoolVolumes } from './pool-volumes.ts';
import { SourceSwitch } from './source-switch.ts';

export interface PoolTradesOptions {
  readonly chain: Pick<Chain, 'slot' | 'clock' | 'executed' | 'reported'>;
  readonly pools: Pick<Pools, 'onChange' | 'all'>;
  readonly venues: readonly Venue[];
  readonly timers: Timers;
  /** Returns the US dollars that a trade is worth; null if they are not known. */
  readonly dollarsOf: (paid: TradedAmount, received: TradedAmount) => number | null;
  /** Called with each trade that a change shows while no transactions are reported. */
  readonly onTrade: (trade: Trade) => void;
  /** Called when looking at the change of a pool failed. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * Trades of an outside network that changes of its pools show. They count for the volume that a token had at least, and are
 * reported as trades while transactions are not. On a network that reports all its transactions there are none.
 */
export class PoolTrades {
  readonly #options: PoolTradesOptions;
  readonly #sources = new SourceSwitch();
  readonly #volumes = new PoolVolumes();
  /** Null for a network that reports all its transactions. */
  readonly #changes: PoolTradeFinder | null;

  constructor(options: PoolTradesOptions) {
    const { chain, pools, venues, timers, onDefect } = options;
    this.#options = options;
    this.#changes =
      chain.executed !== undefined
        ? null
        : new PoolTradeFinder({
            pools,
            venues,
            slot: (commitment) => chain.slot(commitment),
            clock: () => chain.clock(),
            timers,
            onTrade: (poolTrade) => this.#take(poolTrade),
            onDefect,
          });
  }

  /** Whether to report a trade of a transaction: always, unless changes of pools report trades too. */
  claim(trade: Trade): boolean {
    return this.#changes === null || this.#sources.claimForTransaction(trade);
  }

  /** Adds to a candle the volumes that its token had at least. */
  withVolumes(candle: Candle, mint: Address, seconds: number): TokenCandle {
    const { start, buyVolume, sellVolume, hasAllTrades } = candle;
    const { bought, sold } = this.#volumes.within(mint, { from: start, to: start + seconds });
    return {
      ...candle,
      // Each source may have missed trades, and each trade may be in both.
      minBuyVolume: hasAllTrades ? buyVolume : Math.max(buyVolume, bought),
      minSellVolume: hasAllTrades ? sellVolume : Math.max(sellVolume, sold),
    };
  }

  close(): void {
    this.#changes?.close();
  }

  #take(poolTrade: PoolTrade): void {
    const { chain, dollarsOf, onTrade } = this.#options;
    const { paid, received } = poolTrade.trade;
    const trade: Trade = { ...poolTrade.trade, dollars: dollarsOf(paid, received) };
    this.#volumes.add(trade);
    if (chain.reported?.isFollowing() === true) return;
    if (this.#sources.claimForChange(poolTrade)) onTrade(trade);
  }
}
