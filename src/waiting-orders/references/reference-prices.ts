import type { Chain } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { LiveMarketData } from '../../market-data/live-market-data.ts';
import type { Address } from '../../solana/address.ts';
import type { HeldPrice } from '../triggers/trigger-index.ts';
import { MEDIAN_SLOTS, PriceHistory } from './price-history.ts';

/** How often Sluice checks whether a new slot has begun. */
const LOOK_EVERY_MS = 20;
/** When the network has reported an earlier slot than before for so long, its slots count as having begun again. */
const BEHIND_MS = 2_000;
/** Prices that are looked at in one turn. Between turns, other work goes on. */
const LOOKED_AT_ONCE = 1_000;
/** Tokens without a price are looked at in every so many slots: no event says when the decimals of a mint become known. */
const UNPRICED_EVERY = 16;

export interface ReferencePricesOptions {
  readonly marketData: Pick<LiveMarketData, 'watch' | 'plainPrice'>;
  readonly chain: Pick<Chain, 'slot' | 'unhealthy'>;
  /** For how many slots a price has to hold before it triggers orders: the setting `trigger-hold-slots`. */
  readonly holdSlots: number;
  readonly timers: Timers;
  /** Called when a listener or a price has failed. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Called with a token whose price may trigger orders that it did not trigger before.
 *
 * @param price - The price now, in US dollars for a whole token as wallets display it.
 */
export type TickListener = (mint: Address, price: number, slot: bigint) => void;

interface FollowedMint {
  history: PriceHistory;
  readonly stop: () => void;
  /** How many times it is followed. */
  uses: number;
  /** For how many slots each further slot is a tick. */
  moving: number;
}

/**
 * The validated prices of the tokens that open orders name: those of trades that the pools agree with, or the median of the
 * pools, never the price of one pool alone. See `TokenPrices`.
 *
 * A price counts at the end of each slot that this process has seen pass. It triggers orders once it has held for
 * `holdSlots` whole slots, without a break. So a price that is moved and moved back within a slot triggers nothing, even if
 * that is done at the end of one slot and at the beginning of the next. While the network is not healthy, nothing is
 * triggered, and afterwards all prices have to hold again.
 */
export class ReferencePrices {
  readonly #options: ReferencePricesOptions;
  readonly #followed = new Map<Address, FollowedMint>();
  readonly #listeners = new Set<TickListener>();
  /** Tokens of which a tick follows with the next slots, because their price has changed. */
  readonly #moving = new Set<Address>();
  readonly #unpriced = new Set<Address>();
  /** Tokens that are to be looked at; true for those whose listeners are to be told. */
  readonly #queue = new Map<Address, boolean>();
  /** The slots that were seen, the newest last: those between which a price has to hold, and the one that runs. */
  #slots: number[] = [];
  #seen = 0;
  /** When the slot was first seen to be earlier than before; null while it is not. */
  #behindSince: number | null = null;
  #isLooking = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;
  #cancelWork: () => void = () => undefined;

  constructor(options: ReferencePricesOptions) {
    this.#options = options;
    this.#look();
  }

  /** How many tokens are followed. */
  get size(): number {
    return this.#followed.size;
  }

  /** Follows the price of a token until `unfollow` was called as often. */
  follow(mint: Address): void {
    const known = this.#followed.get(mint);
    if (known !== undefined) {
      known.uses++;
      return;
    }
    const { marketData } = this.#options;
    const stop = marketData.watch([mint], () => this.#enqueue(mint, false));
    this.#followed.set(mint, { history: new PriceHistory(), stop, uses: 1, moving: 0 });
    this.#enqueue(mint, false);
  }

  unfollow(mint: Address): void {
    const known = this.#followed.get(mint);
    if (known === undefined || --known.uses > 0) return;
    known.stop();
    this.#followed.delete(mint);
    for (const mints of [this.#moving, this.#unpriced, this.#queue]) mints.delete(mint);
  }

  /** Calls the listener with each tick, until the returned function is called. */
  onTick(listener: TickListener): () => void {
    // Wrapped, so that a function that is passed twice counts as two listeners.
    const tick: TickListener = (mint, price, slot) => listener(mint, price, slot);
    this.#listeners.add(tick);
    return () => this.#listeners.delete(tick);
  }

  /**
   * Returns the price now, in US dollars for a whole token as wallets display it; null if the token has none that can be
   * relied on, or if the network is not healthy. The token need not be followed.
   */
  price(mint: Address): number | null {
    const { chain, marketData } = this.#options;
    return chain.unhealthy() === null ? (marketData.plainPrice(mint)?.usdPrice ?? null) : null;
  }

  /**
   * Returns the prices that a token has had for as long as a trigger has to hold; null if it has had none at some time since,
   * if it is not followed for so long, or if the network is not healthy.
   */
  held(mint: Address): HeldPrice | null {
    const followed = this.#current(mint);
    const since = this.#heldSince;
    return followed === null || since === null ? null : followed.history.heldSince(since);
  }

  /**
   * Returns the median of the prices in the last 15 slots, in US dollars for ten to the power of the decimals in atoms, which
   * is a whole token unless its issuer scales displayed amounts. A price that does not change counts for every slot. Null if a
   * price is missing, if the token is not followed for so long, or if the network is not healthy.
   */
  median(mint: Address): number | null {
    const slot = this.#slots.at(-1);
    const followed = this.#current(mint);
    return followed === null || slot === undefined ? null : followed.history.median(slot);
  }

  /**
   * Converts a price in US dollars for a whole token as wallets display it to one for ten to the power of the decimals in atoms;
   * null if the token has no price now.
   */
  toWorth(mint: Address, price: number): number | null {
    const now = this.#options.marketData.plainPrice(mint);
    return now === null ? null : price * ((now.dollarsPerAtom * 10 ** now.decimals) / now.usdPrice);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#cancelWork();
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
    this.#listeners.clear();
    for (const mints of [this.#moving, this.#unpriced, this.#queue]) mints.clear();
  }

  /** Returns a followed token after its price of now was added; null if prices cannot be relied on. */
  #current(mint: Address): FollowedMint | null {
    const followed = this.#followed.get(mint);
    if (followed === undefined || !this.#noteSlot()) return null;
    this.#add(mint, followed);
    return followed;
  }

  /** The slot from whose end on a price has to hold; null if too few have passed. The last one is still running. */
  get #heldSince(): number | null {
    const index = this.#slots.length - 2 - this.#options.holdSlots;
    return this.#slots[index] ?? null;
  }

  #look(): void {
    this.#cancel = this.#options.timers.after(LOOK_EVERY_MS, () => {
      this.#noteSlot();
      if (!this.#isClosed) this.#look();
    });
  }

  /** Takes note of the slot that runs. Returns whether the network is healthy. */
  #noteSlot(): boolean {
    const { chain, holdSlots } = this.#options;
    if (chain.unhealthy() !== null) {
      if (this.#slots.length > 0) this.#reset([]);
      return false;
    }
    const slot = Number(chain.slot('processed'));
    const last = this.#slots.at(-1);
    if (last === undefined || this.#hasGoneBack(slot < last)) this.#reset([slot]);
    else if (slot > last) {
      this.#slots.push(slot);
      while (this.#slots.length > holdSlots + 2) this.#slots.shift();
      this.#seen++;
      for (const mint of this.#moving) this.#enqueue(mint, true);
      if (this.#seen % UNPRICED_EVERY === 0) for (const mint of this.#unpriced) this.#enqueue(mint, false);
    }
    return true;
  }

  /**
   * Returns whether the slots have begun again at an earlier one, as on a network that was restored. One of several nodes may
   * lag for a moment; then nothing is a new slot until it has caught up.
   */
  #hasGoneBack(isBehind: boolean): boolean {
    const now = this.#options.timers.now();
    if (!isBehind) this.#behindSince = null;
    else this.#behindSince ??= now;
    return this.#behindSince !== null && now - this.#behindSince >= BEHIND_MS;
  }

  /** Forgets what the prices were, because it is not known whether they held. */
  #reset(slots: number[]): void {
    this.#slots = slots;
    this.#behindSince = null;
    for (const [mint, followed] of this.#followed) {
      followed.history = new PriceHistory();
      this.#enqueue(mint, false);
    }
  }

  #enqueue(mint: Address, isTick: boolean): void {
    this.#queue.set(mint, isTick || this.#queue.get(mint) === true);
    this.#workLater();
  }

  /** Changes that come together are looked at once. */
  #workLater(): void {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    this.#cancelWork = this.#options.timers.after(0, () => {
      this.#isLooking = false;
      if (!this.#noteSlot()) return;
      let left = LOOKED_AT_ONCE;
      for (const [mint, isTick] of this.#queue) {
        if (left-- === 0) break;
        this.#queue.delete(mint);
        this.#lookAt(mint, isTick);
      }
      if (this.#queue.size > 0) this.#workLater();
    });
  }

  #lookAt(mint: Address, isTick: boolean): void {
    const followed = this.#followed.get(mint);
    if (followed === undefined) return;
    if (isTick) followed.moving--;
    this.#add(mint, followed);
    if (!isTick) return;
    if (followed.moving <= 0) this.#moving.delete(mint);
    const price = followed.history.isPriced ? this.price(mint) : null;
    const slot = this.#slots.at(-1);
    if (price === null || slot === undefined || this.held(mint) === null) return;
    for (const listener of this.#listeners) {
      try {
        listener(mint, price, BigInt(slot));
      } catch (error) {
        this.#options.onDefect('the tick of a price', error);
      }
    }
  }

  #add(mint: Address, followed: FollowedMint): void {
    const { marketData, holdSlots } = this.#options;
    const slot = this.#slots.at(-1);
    if (slot === undefined) return;
    const needed = Math.min(slot - MEDIAN_SLOTS, this.#slots[0] ?? slot);
    if (!followed.history.add(slot, marketData.plainPrice(mint), needed)) return;
    if (followed.history.isPriced) this.#unpriced.delete(mint);
    else this.#unpriced.add(mint);
    followed.moving = holdSlots + 1;
    this.#moving.add(mint);
  }
}
