import { createUnaccountedWork, sortInTurns, visitInTurns, type Work } from '../../common/work/work.ts';
import type { Address } from '../../solana/address.ts';
import type { PoolHandle, UnusablePool } from '../pools/liquidity.ts';
import type { Pools } from '../pools/pools.ts';
import { estimatePoolDollars } from './pool-worth.ts';

/** A pool in a list of all pools. */
export type OrderedPool =
  | { readonly handle: PoolHandle; readonly dollars: number | null }
  | { readonly handle: null; readonly unusable: UnusablePool };

/** Which pools a list has. What is null does not matter. */
export interface PoolFilter {
  readonly mint: Address | null;
  /** The venue's label. */
  readonly venue: string | null;
  /** Words, in lower case. Each has to be the beginning of a symbol, or the address of the pool or of a token. */
  readonly words: readonly string[];
}

/** How long an order is used, in milliseconds. */
const LIFETIME_MS = 2_000;
/** An order that took long to find is used so many times as long as that, so that most of the time is left for others. */
const LIFETIME_SHARE = 20;

export interface PoolOrderOptions {
  readonly pools: Pick<Pools, 'all' | 'unusable'>;
  readonly dollarsPerAtom: (mint: Address) => number | null;
  /** Returns the symbol of a token; null if it is not known. */
  readonly findSymbol: (mint: Address) => string | null;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
}

interface CurrentPoolOrder {
  readonly order: Promise<readonly OrderedPool[]>;
  readonly began: number;
  /** Without an end while it is computed. */
  until: number;
}

/** All pools, those with most dollars first, and last those that routes cannot use. */
export class PoolOrder {
  readonly #options: PoolOrderOptions;
  #known: CurrentPoolOrder | null = null;

  constructor(options: PoolOrderOptions) {
    this.#options = options;
  }

  /**
   * Returns the pools that match, in order.
   *
   * @param work - The work of the request. That of the order is shared by all.
   */
  async list(filter: PoolFilter, work: Work = createUnaccountedWork()): Promise<readonly OrderedPool[]> {
    const all = await this.#order();
    if (filter.mint === null && filter.venue === null && filter.words.length === 0) return all;
    const found: OrderedPool[] = [];
    await visitInTurns(work, all, (each) => {
      if (this.#isMatch(each, filter)) found.push(each);
    });
    return found;
  }

  #isMatch(each: OrderedPool, { mint, venue, words }: PoolFilter): boolean {
    const [label, address, mints]: readonly [string, Address, readonly Address[]] =
      each.handle === null
        ? [each.unusable.venue, each.unusable.address, []]
        : [each.handle.venue.label, each.handle.pool.address, each.handle.pool.mints];
    if (venue !== null && label !== venue) return false;
    if (mint !== null && !mints.includes(mint)) return false;
    if (words.length === 0) return true;
    const addresses = [address, ...mints].map((text) => text.toLowerCase());
    const symbols = mints.flatMap((one) => this.#options.findSymbol(one)?.toLowerCase() ?? []);
    return words.every(
      (word) => addresses.includes(word) || symbols.some((symbol) => symbol.startsWith(word)),
    );
  }

  /** All requests of some time share one order. */
  #order(): Promise<readonly OrderedPool[]> {
    const { now } = this.#options;
    const began = now();
    const before = this.#known;
    if (before !== null && began >= before.began && began < before.until) return before.order;
    const known = { order: this.#compute(), began, until: Number.POSITIVE_INFINITY };
    this.#known = known;
    known.order.then(
      () => {
        known.until = now() + Math.max(LIFETIME_MS, LIFETIME_SHARE * (now() - began));
      },
      () => {
        known.until = began;
      },
    );
    return known.order;
  }

  async #compute(): Promise<readonly OrderedPool[]> {
    const { pools, dollarsPerAtom } = this.#options;
    const work = createUnaccountedWork();
    const usable: { readonly handle: PoolHandle; readonly dollars: number | null }[] = [];
    await visitInTurns(work, pools.all(true), (handle) => {
      const isShortLived = handle.venue.isShortLived === true;
      usable.push({ handle, dollars: isShortLived ? null : estimatePoolDollars(handle, dollarsPerAtom) });
    });
    const sorted: OrderedPool[] = await sortInTurns(work, usable, comparePools);
    await visitInTurns(work, pools.unusable(), (unusable) => {
      sorted.push({ handle: null, unusable });
    });
    return sorted;
  }
}

/** Pools of equal worth have an order too, so that pages of a list do not overlap. */
function comparePools(
  one: { readonly handle: PoolHandle; readonly dollars: number | null },
  other: { readonly handle: PoolHandle; readonly dollars: number | null },
): number {
  const difference = (other.dollars ?? -1) - (one.dollars ?? -1);
  return difference !== 0 ? difference : one.handle.pool.address < other.handle.pool.address ? -1 : 1;
}
