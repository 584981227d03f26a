import { computeMintDisplay } from '../market/mint-facts.ts';
import { computeDollarsPerToken } from '../solana/programs/token/display-amount.ts';
import type { PoolState } from '../protocol/venue/venue.ts';
import type { Address } from '../solana/address.ts';
import { TradeFeed, findTradeSource, type UnvaluedTrade } from './feed/trade-feed.ts';
import type { MarketDataOptions } from './market-data-options.ts';
import { PoolSightings } from './pool-sightings.ts';
import { PoolTrades } from './pool-trades/pool-trades.ts';
import { PriceRecorder } from './price-recorder.ts';
import { PriceWatchers } from './price-watchers.ts';
import { KnownMints } from './prices/known-mints.ts';
import { TokenLiquidity } from './prices/liquidity.ts';
import { TokenPrices } from './prices/token-prices.ts';
import { BarStore } from './series/bar-store.ts';
import type { TokenCandle } from './series/bars.ts';
import { Series } from './series/series.ts';
import { TradeStats } from './stats/trade-stats.ts';
import { type Trade, WINDOW_MINUTES, type WindowName, type WindowStats } from './trades/trade.ts';

import type { MarketData, TokenPrice, PlainPrice } from './market-data.ts';

/** How often the prices of tokens whose pools changed are recorded. */
const RECORD_EVERY_MS = 250;

/** Follows trades and changes of pools, and keeps prices and statistics current, until `close` is called. */
export class LiveMarketData implements MarketData {
  readonly #options: MarketDataOptions;
  readonly #prices: TokenPrices;
  readonly #mints: KnownMints;
  readonly #liquidity: TokenLiquidity;
  readonly #stats: TradeStats;
  readonly #recorder: PriceRecorder;
  readonly #listeners = new Set<(trade: Trade) => void>();
  readonly #watchers: PriceWatchers;
  readonly #sightings: PoolSightings;
  /** The Unix second at which the first pool of a token appeared; null if it is not known. */
  readonly #firstSeen = new Map<Address, number | null>();
  readonly #stops: (() => void)[] = [];
  readonly #feed: TradeFeed | null;
  readonly #series: Series;
  readonly #poolTrades: PoolTrades;
  #cancel: () => void = () => undefined;
  #tradesAdded = 0;

  private constructor(options: MarketDataOptions, sightings: PoolSightings) {
    const { chain, pools, venues, fillPrograms, timers } = options;
    this.#options = options;
    this.#sightings = sightings;
    this.#prices = new TokenPrices(pools, () => chain.slot('processed'));
    this.#mints = new KnownMints(chain, pools, (mint) => this.#recorder.noteChange(mint));
    this.#watchers = new PriceWatchers((mint) => this.dollarsPerAtom(mint));
    this.#liquidity = new TokenLiquidity(
      pools,
      (mint) => this.dollarsPerAtom(mint),
      () => timers.now(),
    );
    this.#stats = new TradeStats({ ...options, now: () => Number(chain.clock().unixTimestamp) });
    this.#recorder = new PriceRecorder({
      prices: this.#prices,
      mints: this.#mints,
      liquidity: this.#liquidity,
      stats: this.#stats,
      now: () => this.#now(),
    });
    for (const { pool } of pools.all()) this.#touch(pool);
    this.#stops.push(pools.onChange(({ pool }) => this.#touch(pool)));
    const source = findTradeSource(chain);
    const onTrade = (trade: UnvaluedTrade) => this.addTrade(trade);
    this.#feed = source === null ? null : new TradeFeed({ source, pools, venues, fillPrograms, onTrade });
    this.#series = this.#openSeries();
    this.#poolTrades = new PoolTrades({
      chain,
      pools,
      venues,
      timers,
      dollarsOf: (paid, received) => this.#prices.valueOf(paid, received),
      onTrade: (trade) => this.#addPoolTrade(trade),
      onDefect: (error) => options.onDefect('trades by changes of pools', error),
    });
  }

  /**
   * Continues from what is stored: adds the trades since then, and after that each new one.
   * @throws ChainUnavailable if the network does not answer
   */
  static async open(options: MarketDataOptions): Promise<LiveMarketData> {
    const { chain, store, pools, timers, onDefect } = options;
    const sightings = await PoolSightings.open({
      store,
      network: chain.genesisHash,
      pools,
      now: () => Number(chain.clock().unixTimestamp),
      slot: () => chain.slot('processed'),
      timers,
      onDefect: (error) => onDefect('times of pools', error),
    });
    const marketData = new LiveMarketData(options, sightings);
    await marketData.#recorder.readMints();
    const { cursor, complete } = await marketData.#series.restore();
    if (complete !== null) chain.reported?.resume(complete);
    await marketData.#feed?.catchUp(cursor);
    marketData.#series.start();
    marketData.#recordLater();
    return marketData;
  }

  /** Returns US dollars per atom of a mint, also while its decimals are not known; null if it has no price. */
  dollarsPerAtom(mint: Address): number | null {
    return this.#prices.price(mint)?.dollarsPerAtom ?? null;
  }

  watch(mints: readonly Address[], onChange: (mint: Address, trade: Trade | null) => void): () => void {
    return this.#watchers.watch(mints, onChange);
  }

  onTrade(listener: (trade: Trade) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  seesTrades(range: { readonly from: number; readonly to: number }): boolean {
    return this.#knowsTrades(range);
  }

  stats(mint: Address, window: WindowName): WindowStats | null {
    const now = this.#now();
    const seconds = WINDOW_MINUTES[window] * 60;
    const from = Math.floor(now / 60) * 60 - seconds;
    if (!this.#knowsTrades({ from, to: now })) return null;
    this.#recorder.recordIfChanged(mint);
    const stats = this.#stats.window(mint, window);
    // The change compares with the window before.
    if (stats === null || this.#knowsTrades({ from: from - seconds, to: now })) return stats;
    return { ...stats, volumeChange: null };
  }

  poolSeenAt(pool: Address): number | null {
    return this.#sightings.of(pool);
  }

  mints(): Iterable<Address> {
    return this.#stats.mints();
  }

  price(mint: Address): TokenPrice | null {
    const price = this.#prices.price(mint);
    const facts = price === null ? null : this.#mints.facts(mint);
    if (price === null || facts === null) return null;
    const { dollarsPerAtom, slot } = price;
    const { decimals, scaled } = facts;
    const display = computeMintDisplay(facts, this.#now());
    const usdPrice = computeDollarsPerToken(dollarsPerAtom, display);
    if (usdPrice === null) return null;
    this.#recorder.recordIfChanged(mint);
    return {
      mint,
      usdPrice,
      dollarsPerAtom,
      decimals,
      scaled,
      multiplier: display.scale?.factor ?? 1,
      slot,
      priceChange24h: this.#stats.window(mint, '24h')?.priceChange ?? null,
      liquidity: this.#liquidity.of(mint),
      createdAt: this.#firstSeen.get(mint) ?? null,
    };
  }

  /**
   * Returns the price alone, for callers that follow the prices of many tokens; null when the token has no price that can be
   * relied on.
   */
  plainPrice(mint: Address): PlainPrice | null {
    const dollarsPerAtom = this.dollarsPerAtom(mint);
    const facts = dollarsPerAtom === null ? null : this.#mints.facts(mint);
    if (dollarsPerAtom === null || facts === null) return null;
    const usdPrice = computeDollarsPerToken(dollarsPerAtom, computeMintDisplay(facts, this.#now()));
    return usdPrice === null ? null : { usdPrice, dollarsPerAtom, decimals: facts.decimals };
  }

  get version(): string {
    // Windows move with each minute, and multipliers apply from a second on.
    return `${this.#marketChanges} ${this.#now()}`;
  }

  /** Adds a trade: values it, considers it as a price, counts it, and passes it on. */
  addTrade(unvalued: UnvaluedTrade): void {
    this.#tradesAdded++;
    const dollars = this.#prices.valueOf(unvalued.paid, unvalued.received);
    const trade: Trade = { ...unvalued, dollars };
    const priced = this.#prices.addTrade(trade);
    this.#stats.add(trade);
    this.#recorder.recordTrade(trade, priced);
    if (this.#poolTrades.claim(trade)) this.#notify(trade);
  }

  async candles(
    mint: Address,
    seconds: number,
    range: { readonly from: number; readonly to: number },
  ): Promise<readonly TokenCandle[]> {
    this.#recorder.recordIfChanged(mint);
    const candles = await this.#series.candles(mint, seconds, range);
    return candles.map((candle) => this.#poolTrades.withVolumes(candle, mint, seconds));
  }

  /** Writes the bars that are over, and ends everything. */
  async close(): Promise<void> {
    this.#cancel();
    this.#feed?.close();
    this.#poolTrades.close();
    for (const stop of this.#stops.splice(0)) stop();
    this.#prices.close();
    await this.#sightings.close();
    await this.#series.close();
  }

  /** Nothing is known of its trader, so it is not counted; but it is a price, as other trades are. */
  #addPoolTrade(trade: Trade): void {
    this.#tradesAdded++;
    const priced = this.#prices.addTrade(trade);
    if (priced !== null) this.#recorder.recordTradePrice(trade, priced);
    this.#notify(trade);
  }

  #notify(trade: Trade): void {
    for (const listener of this.#listeners) listener(trade);
    for (const { mint } of [trade.paid, trade.received]) this.#watchers.notify(mint, trade);
  }

  #knowsTrades(range: { readonly from: number; readonly to: number }): boolean {
    if (this.#feed === null) return false;
    return this.#options.chain.reported?.isComplete(range) ?? true;
  }

  #openSeries(): Series {
    const { store, chain, timers, onDefect } = this.#options;
    const { reported } = chain;
    return new Series({
      store: new BarStore(store, chain.genesisHash),
      stats: this.#stats,
      now: () => this.#now(),
      slot: () => chain.slot('processed'),
      lastComplete: this.#feed === null || reported === undefined ? null : () => reported.lastPassedOn(),
      knowsTrades: (range) => this.#knowsTrades(range),
      timers,
      onDefect: (error) => onDefect('bars of prices', error),
    });
  }

  #touch({ address, mints }: PoolState): void {
    const seenAt = this.#sightings.of(address);
    for (const mint of mints) {
      const known = this.#firstSeen.get(mint);
      // A pool of unknown age is older than all others.
      if (known === undefined) this.#firstSeen.set(mint, seenAt);
      else if (known !== null && (seenAt === null || seenAt < known)) this.#firstSeen.set(mint, seenAt);
      this.#recorder.noteChange(mint);
      this.#watchers.notify(mint, null);
    }
  }

  #recordLater(): void {
    this.#cancel = this.#options.timers.after(RECORD_EVERY_MS, () => {
      this.#recorder.recordChanged();
      this.#watchers.check(this.#marketChanges);
      this.#recordLater();
    });
  }

  /** Changes with everything that can change a price. */
  get #marketChanges(): string {
    return `${this.#options.pools.changes} ${this.#tradesAdded} ${this.#options.pools.listing}`;
  }

  #now(): number {
    return Number(this.#options.chain.clock().unixTimestamp);
  }
}
