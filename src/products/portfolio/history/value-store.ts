import { and, asc, count, eq, gte, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import type { Address } from '../../../solana/address.ts';
import { takeAdvisoryLock } from '../../../store/advisory-lock.ts';
import type { Database, Store } from '../../../store/index.ts';
import { portfolioValues, portfolioWallets } from './portfolio-tables.ts';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long values are kept, and wallets that are not requested. */
export const KEPT_MS = 30 * DAY_MS;
/** The most wallets that are followed, and the most of them that one organisation was the first to request. */
export const MAX_WALLETS = 2_000;
export const MAX_WALLETS_OF_FOLLOWER = 100;
const LOCK = 'portfolio-wallets';

/** The value of a wallet in one hour. */
export interface HourlyValue {
  /** Unix ms at which the hour began. */
  readonly hour: number;
  /** Dollars. */
  readonly value: number;
}

export type FollowOutcome = 'followed' | 'follower-is-full' | 'all-full';

/** The values of wallets, in the database. Instances that share it write each hour of a wallet once. */
export class ValueStore {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash, because values of one network say nothing about another. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /**
   * Follows a wallet from now on, or keeps a followed wallet for longer.
   *
   * @param follower - Whose share of the wallets a new one counts towards: see `toPartyKey`.
   */
  async follow(owner: Address, follower: string, now: number): Promise<FollowOutcome> {
    const { db } = this.#store;
    if ((await this.#touch(db, owner, now)) > 0) return 'followed';
    return this.#store.transaction(async (within) => {
      // Nothing is inserted between the count and the insertion, at any instance.
      await takeAdvisoryLock(within, LOCK);
      if ((await this.#touch(within, owner, now)) > 0) return 'followed';
      if ((await this.#count(within, follower)) >= MAX_WALLETS_OF_FOLLOWER) return 'follower-is-full';
      if ((await this.#count(within, null)) >= MAX_WALLETS) return 'all-full';
      const row = { network: this.#network, owner, follower, since: now, askedAt: now };
      await within.insert(portfolioWallets).values(row).onConflictDoNothing();
      return 'followed';
    });
  }

  /** Returns since when a wallet is followed, in Unix ms; null if it is not. */
  async since(owner: Address): Promise<number | null> {
    const [row] = await this.#store.db
      .select({ since: portfolioWallets.since })
      .from(portfolioWallets)
      .where(this.#isWallet(owner));
    return row?.since ?? null;
  }

  /** Returns the values of a wallet, the oldest first. */
  async values(owner: Address, now: number): Promise<HourlyValue[]> {
    const rows = await this.#store.db
      .select({ hour: portfolioValues.hour, value: portfolioValues.value })
      .from(portfolioValues)
      .where(
        and(
          eq(portfolioValues.network, this.#network),
          eq(portfolioValues.owner, owner),
          gte(portfolioValues.hour, now - KEPT_MS),
          isNotNull(portfolioValues.value),
        ),
      )
      .orderBy(asc(portfolioValues.hour));
    return rows.map(({ hour, value }) => ({ hour, value: Number(value) }));
  }

  /** Returns wallets without a row for the hour, in the order in which they were first followed. */
  async unvalued(hour: number, limit: number): Promise<Address[]> {
    const { db } = this.#store;
    const known = db
      .select({ one: sql`1` })
      .from(portfolioValues)
      .where(
        and(
          eq(portfolioValues.network, portfolioWallets.network),
          eq(portfolioValues.owner, portfolioWallets.owner),
          eq(portfolioValues.hour, hour),
        ),
      );
    const rows = await db
      .select({ owner: portfolioWallets.owner })
      .from(portfolioWallets)
      .where(and(eq(portfolioWallets.network, this.#network), notExists(known)))
      .orderBy(asc(portfolioWallets.since), asc(portfolioWallets.owner))
      .limit(limit);
    return rows.map(({ owner }) => owner as Address);
  }

  /**
   * Claims an hour of a wallet, so that no other instance evaluates it. Returns false if another instance has claimed
   * it.
   */
  async claim(owner: Address, hour: number): Promise<boolean> {
    const taken = await this.#store.db
      .insert(portfolioValues)
      .values({ network: this.#network, owner, hour, value: null })
      .onConflictDoNothing()
      .returning({ owner: portfolioValues.owner });
    return taken.length > 0;
  }

  /** Records the value of a claimed hour. Null releases the claim, so that the hour is tried again. */
  async settle(owner: Address, hour: number, value: number | null): Promise<void> {
    const { db } = this.#store;
    const row = and(
      eq(portfolioValues.network, this.#network),
      eq(portfolioValues.owner, owner),
      eq(portfolioValues.hour, hour),
      isNull(portfolioValues.value),
    );
    if (value === null) await db.delete(portfolioValues).where(row);
    else
      await db
        .update(portfolioValues)
        .set({ value: JSON.stringify(value) })
        .where(row);
  }

  /** Deletes wallets that were not requested for `KEPT_MS`, and values that are older. */
  async prune(now: number): Promise<void> {
    const [network, before] = [this.#network, now - KEPT_MS];
    await this.#store.transaction(async (db) => {
      await db
        .delete(portfolioWallets)
        .where(and(eq(portfolioWallets.network, network), lt(portfolioWallets.askedAt, before)));
      await db
        .delete(portfolioValues)
        .where(and(eq(portfolioValues.network, network), lt(portfolioValues.hour, before)));
    });
  }

  async #touch(db: Database, owner: Address, now: number): Promise<number> {
    const rows = await db
      .update(portfolioWallets)
      .set({ askedAt: now })
      .where(this.#isWallet(owner))
      .returning({ owner: portfolioWallets.owner });
    return rows.length;
  }

  async #count(db: Database, follower: string | null): Promise<number> {
    const ofNetwork = eq(portfolioWallets.network, this.#network);
    const [row] = await db
      .select({ wallets: count() })
      .from(portfolioWallets)
      .where(follower === null ? ofNetwork : and(ofNetwork, eq(portfolioWallets.follower, follower)));
    return row?.wallets ?? 0;
  }

  #isWallet(owner: Address) {
    return and(eq(portfolioWallets.network, this.#network), eq(portfolioWallets.owner, owner));
  }
}
