import type { Address } from '../../solana/address.ts';
import {
  type Trade,
  type TradeKind,
  WINDOW_MINUTES,
  type WindowName,
  type WindowStats,
} from '../trades/trade.ts';
import { Bots } from './bots.ts';
import { setPrice, type TokenMinute, TokenMinutes } from './token-minutes.ts';
import { computeWindowStats } from './window-stats.ts';

/** How many minutes are kept: two of the longest windows, so that the volume can be compared with the one before. */
const KEPT_MINUTES = 2 * WINDOW_MINUTES['24h'];
/** How many minutes of a token are kept at most while they are not written, such as when the database is away. */
const MAX_MINUTES = 2 * KEPT_MINUTES;

export interface TradeStatsOptions {
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** Tokens beyond it are forgotten, those first that were neither traded nor priced for the longest time. */
  readonly maxTokens: number;
  /**
   * How many entries of a wallet that traded a token in a minute are kept over all tokens. Beyond it, the oldest minutes
   * lose their wallets, and windows that reach back to them lose the figures about wallets.
   */
  readonly maxWalletMinutes: number;
  readonly maxBots: number;
}

/** A minute of a token. */
export interface TokenBar {
  readonly mint: Address;
  readonly bar: TokenMinute;
}

interface CachedWindow {
  readonly version: number;
  readonly minute: number;
  readonly bots: number;
  readonly stats: WindowStats;
}

interface TrackedToken {
  readonly minutes: TokenMinutes;
  readonly cached: Map<WindowName, CachedWindow>;
  /** The minute from which on all trades are known. */
  knownSince: number;
  /** The token may have been forgotten with minutes before this one; 0 if no token was. */
  readonly forgottenBefore: number;
}

/**
 * Counts trades per token in minutes, in memory. A window of five minutes is the current minute and the five before it.
 *
 * @example
 * ```ts
 * import type { Trade } from '../trades/trade.ts';
 * import { TradeStats } from './trade-stats.ts';
 *
 * function buyersOfTheLastHour(trades: readonly Trade[]): number | null {
 *   const stats = new TradeStats({ now: () => 1_800_000_000, maxTokens: 10, maxWalletMinutes: 1_000, maxBots: 10 });
 *   for (const trade of trades) stats.add(trade);
 *   const mint = trades[0]?.received.mint;
 *   return mint === undefined ? null : (stats.window(mint, '1h')?.numOrganicBuyers ?? null);
 * }
 * ```
 */
export class TradeStats {
  readonly #options: TradeStatsOptions;
  readonly #tokens = new Map<Address, TrackedToken>();
  readonly #bots: Bots;
  /** Minutes that have wallets, in the order in which they began. */
  readonly #withWallets: { readonly tracked: TrackedToken; readonly minute: TokenMinute }[] = [];
  #firstWithWallets = 0;
  #walletMinutes = 0;
  readonly #startedAt: number;
  /** The first minute that is kept whatever its age. */
  #keptFrom = Number.POSITIVE_INFINITY;
  /** The minute after the last one of any token that was forgotten; 0 if none was. */
  #forgottenBefore = 0;
  /** The tokens of each minute that is not taken yet. */
  readonly #untaken = new Map<number, Set<Address>>();

  constructor(options: TradeStatsOptions) {
    this.#options = options;
    this.#bots = new Bots(options.maxBots);
    this.#startedAt = this.#currentMinute();
  }

  /** Returns the tokens that are tracked now. */
  mints(): readonly Address[] {
    // Their order changes with each price that is recorded, also while a caller goes through them.
    return [...this.#tokens.keys()];
  }

  add(trade: Trade): void {
    this.#bots.add(trade);
    this.#count(trade, trade.received.mint, 'buy');
    this.#count(trade, trade.paid.mint, 'sell');
  }

  /**
   * Records a price in US dollars per whole token, and the dollars in the token's pools.
   *
   * @param trade - The trade that the price is of, which was added before; null for the price by the pools as of now.
   */
  setPrice(
    mint: Address,
    price: number,
    liquidity: number,
    trade: Pick<Trade, 'time' | 'slot'> | null,
  ): void {
    const minute = this.#minuteOf(mint, trade === null ? this.#currentMinute() : Math.floor(trade.time / 60));
    const isLast = trade === null || trade.slot >= minute.slot;
    setPrice(minute, price, { isTrade: trade !== null, isLast });
    minute.liquidity = liquidity;
  }

  /** Returns null when nothing is known about the token, or when trades of the window may have been forgotten. */
  window(mint: Address, name: WindowName): WindowStats | null {
    const tracked = this.#tokens.get(mint);
    const minute = this.#currentMinute();
    if (tracked === undefined || tracked.forgottenBefore > minute - WINDOW_MINUTES[name]) return null;
    const cached = tracked.cached.get(name);
    const bots = this.#bots.version;
    const { version } = tracked.minutes;
    if (cached?.version === version && cached.minute === minute && cached.bots === bots) return cached.stats;
    const from = minute - WINDOW_MINUTES[name];
    const stats = computeWindowStats({
      minutes: tracked.minutes.list,
      from,
      before: from - WINDOW_MINUTES[name],
      knownSince: tracked.knownSince,
      isBot: (wallet) => this.#bots.has(wallet),
    });
    tracked.cached.set(name, { version, minute, bots, stats });
    return stats;
  }

  /** Returns the minutes that are known of a token, oldest first. */
  minutes(mint: Address): readonly TokenMinute[] {
    return this.#tokens.get(mint)?.minutes.list ?? [];
  }

  /**
   * Returns each minute before the given one, once, with its token. Prices and trades that arrive for a minute later are
   * counted, but are not returned.
   */
  takeMinutesBefore(minute: number): readonly TokenBar[] {
    const taken: TokenBar[] = [];
    for (const [each, mints] of this.#untaken) {
      if (each >= minute) continue;
      this.#untaken.delete(each);
      for (const mint of mints) {
        const bar = this.#tokens.get(mint)?.minutes.find(each);
        if (bar !== undefined) taken.push({ mint, bar });
      }
    }
    return taken;
  }

  /** Keeps minutes from the given one on, because bars are still to be written of them, until it is called again. */
  keepFrom(minute: number): void {
    this.#keptFrom = minute;
  }

  /** Adds minutes of before the start, whose wallets are not known. */
  restore(bars: readonly TokenBar[]): void {
    for (const { mint, bar } of bars) {
      const tracked = this.#track(mint);
      Object.assign(tracked.minutes.at(bar.minute), { ...bar, hasTradePrice: true, wallets: null });
      tracked.knownSince = Math.max(Math.min(tracked.knownSince, bar.minute), tracked.forgottenBefore);
    }
  }

  #minuteOf(mint: Address, minute: number): TokenMinute {
    const tracked = this.#track(mint);
    const mints = this.#untaken.get(minute) ?? new Set();
    if (!mints.has(mint)) {
      this.#untaken.set(minute, mints.add(mint));
      // The tokens that were used last are the last ones of the map.
      this.#tokens.delete(mint);
      this.#tokens.set(mint, tracked);
    }
    return tracked.minutes.at(minute);
  }

  #count(trade: Trade, mint: Address, kind: TradeKind): void {
    const tracked = this.#track(mint);
    const minute = this.#minuteOf(mint, Math.floor(trade.time / 60));
    const dollars = trade.dollars ?? 0;
    if (kind === 'buy') {
      minute.buyVolume += dollars;
      minute.buys++;
    } else {
      minute.sellVolume += dollars;
      minute.sells++;
    }
    if (trade.slot > minute.slot) minute.slot = trade.slot;
    this.#countWallet(tracked, minute, trade.trader, kind, dollars);
  }

  #countWallet(
    tracked: TrackedToken,
    minute: TokenMinute,
    trader: Address | null,
    kind: TradeKind,
    dollars: number,
  ): void {
    if (minute.wallets === null) return;
    if (trader === null) {
      this.#forgetWallets(minute);
      return;
    }
    let wallet = minute.wallets.get(trader);
    if (wallet === undefined) {
      if (minute.wallets.size === 0) this.#withWallets.push({ tracked, minute });
      wallet = { bought: 0, sold: 0, buys: 0 };
      minute.wallets.set(trader, wallet);
      this.#walletMinutes++;
    }
    if (kind === 'buy') {
      wallet.bought += dollars;
      wallet.buys++;
    } else {
      wallet.sold += dollars;
    }
    while (this.#walletMinutes > this.#options.maxWalletMinutes) this.#dropWallets();
  }

  /** Drops the wallets of the oldest minute that has some. */
  #dropWallets(): void {
    let oldest = this.#withWallets[this.#firstWithWallets++];
    // Others were dropped together with their token or for their age.
    while (oldest !== undefined && oldest.minute.wallets === null) {
      oldest = this.#withWallets[this.#firstWithWallets++];
    }
    if (oldest !== undefined) {
      this.#forgetWallets(oldest.minute);
      oldest.tracked.minutes.version++;
    }
    if (this.#firstWithWallets * 2 > this.#withWallets.length) {
      this.#withWallets.splice(0, this.#firstWithWallets);
      this.#firstWithWallets = 0;
    }
  }

  #forgetWallets(minute: TokenMinute): void {
    this.#walletMinutes -= minute.wallets?.size ?? 0;
    minute.wallets = null;
  }

  #track(mint: Address): TrackedToken {
    const known = this.#tokens.get(mint);
    if (known !== undefined) {
      const { list } = known.minutes;
      const oldest = this.#currentMinute() - KEPT_MINUTES;
      // The clock of a network can leap by days before the minutes so far are written.
      const oldestKept = list.length > MAX_MINUTES ? oldest : Math.min(oldest, this.#keptFrom);
      if ((list[1]?.minute ?? oldestKept) < oldestKept) {
        for (const minute of known.minutes.forgetBefore(oldestKept)) this.#forgetWallets(minute);
      }
      return known;
    }
    if (this.#tokens.size >= this.#options.maxTokens) this.#forgetLeastUsed();
    const forgottenBefore = this.#forgottenBefore;
    const tracked: TrackedToken = {
      minutes: new TokenMinutes(),
      cached: new Map(),
      knownSince: Math.max(this.#startedAt, forgottenBefore),
      forgottenBefore,
    };
    this.#tokens.set(mint, tracked);
    return tracked;
  }

  #forgetLeastUsed(): void {
    for (const [mint, { minutes }] of this.#tokens) {
      this.#forgottenBefore = Math.max(this.#forgottenBefore, (minutes.list.at(-1)?.minute ?? 0) + 1);
      for (const minute of minutes.list) this.#forgetWallets(minute);
      this.#tokens.delete(mint);
      return;
    }
  }

  #currentMinute(): number {
    return Math.floor(this.#options.now() / 60);
  }
}
