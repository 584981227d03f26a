import { and, count, eq, inArray, isNotNull, lt, lte, type SQL } from 'drizzle-orm';
import type { LandedEarnMovement } from '../../../../protocols/jupiter-lend/lending/movements.ts';
import type { Address } from '../../../../solana/address.ts';
import { takeAdvisoryLock } from '../../../../store/advisory-lock.ts';
import type { Database, Store } from '../../../../store/index.ts';
import { earnHistories, earnMovements, earnTotals } from './earn-tables.ts';
import { type SlotRange, type Totals, computeTotals } from './totals.ts';

/** The most accounts that are followed, and the most of them that one follower was the first to request. */
export const MAX_ACCOUNTS = 20_000;
export const MAX_ACCOUNTS_OF_FOLLOWER = 1_000;
const DAY_MS = 24 * 3_600_000;
/** An account that nobody has requested for so long is no longer followed once its place is needed. */
const KEPT_MS = 30 * DAY_MS;
const LOCK = 'earn-histories';

/** Who asks for a history. */
export interface HistoryFollower {
  /** Whose share of the followed accounts it counts towards: see `getShareHolder`. */
  readonly follower: string;
  /** When it is asked for, in Unix ms. */
  readonly now: number;
}

export type FullFollower = 'follower-is-full' | 'all-full';

/** The period for which the movements of a followed address are known. */
export interface FollowedPeriod {
  /** Unix seconds. */
  readonly startedAt: number;
  /** The price of the receipt token at that time; 12 decimals. */
  readonly startPrice: bigint;
  /** Movements of later slots count. */
  readonly startSlot: bigint;
  /** Null before the first transaction. */
  readonly cursor: string | null;
  readonly cursorSlot: bigint;
  /** All movements up to this slot are recorded. The value can be some minutes old. */
  readonly knownSlot: bigint;
}

/** The movements of one transaction. */
export interface RecordedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly movements: readonly LandedEarnMovement[];
}

/**
 * Movements in earn tokens, in the database. A transaction can be recorded any number of times, by any number of
 * instances: it counts once.
 */
export class HistoryStore {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash, because movements of one network say nothing about another. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /**
   * @param now - Unix ms, if somebody asks for the history: it is then kept for longer.
   * @returns null if the address is not followed
   */
  async find(address: Address, now: number | null = null): Promise<FollowedPeriod | null> {
    const [row] = await this.#store.db.select().from(earnHistories).where(this.#isOf(address));
    if (row === undefined) return null;
    if (now !== null && row.askedAt < now - DAY_MS)
      await this.#store.db.update(earnHistories).set({ askedAt: now }).where(this.#isOf(address));
    const { startedAt, startPrice, startSlot, cursor, cursorSlot, knownSlot } = row;
    return {
      startedAt,
      startPrice: BigInt(startPrice),
      startSlot: BigInt(startSlot),
      cursor,
      cursorSlot: BigInt(cursorSlot),
      knownSlot: BigInt(knownSlot),
    };
  }

  /**
   * Starts to follow an address, unless another instance has already started.
   *
   * @param by - Null for a lending, which every instance follows and which takes no place.
   */
  async begin(
    address: Address,
    history: FollowedPeriod,
    by: HistoryFollower | null,
  ): Promise<'begun' | FullFollower> {
    const row = { network: this.#network, address, ...toHistoryColumns(history) };
    if (by === null) {
      const own = { ...row, follower: null, askedAt: 0 };
      await this.#store.db.insert(earnHistories).values(own).onConflictDoNothing();
      return 'begun';
    }
    const { follower, now } = by;
    return this.#store.transaction(async (db) => {
      // Nothing is inserted between the count and the insertion, at any instance.
      await takeAdvisoryLock(db, LOCK);
      const full = await this.#fullFor(db, follower, now - KEPT_MS);
      if (full !== null) return full;
      await db
        .insert(earnHistories)
        .values({ ...row, follower, askedAt: now })
        .onConflictDoNothing();
      return 'begun';
    });
  }

  /** Starts a history again. Movements that were recorded before no longer count. */
  async restart(address: Address, history: FollowedPeriod): Promise<void> {
    await this.#store.db.update(earnHistories).set(toHistoryColumns(history)).where(this.#isOf(address));
  }

  /**
   * Records transactions and moves the cursor to the last of them, atomically. It does nothing if the cursor is already
   * further, because the instance that moved it has recorded them.
   * @param transactions - Oldest first.
   */
  async record(address: Address, transactions: readonly RecordedTransaction[]): Promise<void> {
    const last = transactions.at(-1);
    if (last === undefined) return;
    const network = this.#network;
    const rows = transactions.flatMap(({ signature, slot, movements }) =>
      movements.map(({ kind, owner, receiptMint, assets, shares }, place) => ({
        network,
        signature,
        place,
        owner,
        receiptMint,
        kind,
        assets: String(assets),
        shares: String(shares),
        slot: Number(slot),
      })),
    );
    await this.#store.transaction(async (db) => {
      const moved = await db
        .update(earnHistories)
        .set({ cursor: last.signature, cursorSlot: Number(last.slot) })
        .where(
          and(
            eq(earnHistories.network, network),
            eq(earnHistories.address, address),
            lte(earnHistories.cursorSlot, Number(last.slot)),
          ),
        )
        .returning({ address: earnHistories.address });
      if (moved.length === 0 || rows.length === 0) return;
      await db.insert(earnMovements).values(rows).onConflictDoNothing();
    });
  }

  /** Saves that all movements of the addresses up to a slot are recorded, so that this is known after a crash. */
  async markKnown(addresses: readonly Address[], slot: bigint): Promise<void> {
    if (addresses.length === 0) return;
    await this.#store.db
      .update(earnHistories)
      .set({ knownSlot: Number(slot) })
      .where(
        and(
          eq(earnHistories.network, this.#network),
          inArray(earnHistories.address, [...addresses]),
          lt(earnHistories.knownSlot, Number(slot)),
        ),
      );
  }

  /** Deletes everything about the network, because it was created again with the same genesis. */
  async forget(): Promise<void> {
    const network = this.#network;
    await this.#store.transaction(async (db) => {
      await db.delete(earnTotals).where(eq(earnTotals.network, network));
      await db.delete(earnMovements).where(eq(earnMovements.network, network));
      await db.delete(earnHistories).where(eq(earnHistories.network, network));
    });
  }

  /** Returns why no further account can be followed, after those that nobody has asked for since `before` were given up. */
  async #fullFor(db: Database, follower: string, before: number): Promise<FullFollower | null> {
    const ofFollower = eq(earnHistories.follower, follower);
    if (await this.#isFull(db, ofFollower, MAX_ACCOUNTS_OF_FOLLOWER, before)) return 'follower-is-full';
    const ofAll = isNotNull(earnHistories.follower);
    return (await this.#isFull(db, ofAll, MAX_ACCOUNTS, before)) ? 'all-full' : null;
  }

  async #isFull(db: Database, which: SQL, most: number, before: number): Promise<boolean> {
    const held = and(eq(earnHistories.network, this.#network), which);
    if ((await countHistories(db, held)) < most) return false;
    await db.delete(earnHistories).where(and(held, lt(earnHistories.askedAt, before)));
    return (await countHistories(db, held)) >= most;
  }

  #isOf(address: Address) {
    return and(eq(earnHistories.network, this.#network), eq(earnHistories.address, address));
  }

  /**
   * Returns what an owner moved in one earn token within a range of slots, as far as it is recorded.
   * @throws Unavailable when there are more movements than one request adds up; the next request continues
   */
  totals(owner: Address, receiptMint: Address, range: SlotRange): Promise<Totals> {
    return computeTotals(this.#store, { network: this.#network, owner, receiptMint }, range);
  }
}

function toHistoryColumns({
  startedAt,
  startPrice,
  startSlot,
  cursor,
  cursorSlot,
  knownSlot,
}: FollowedPeriod) {
  return {
    startedAt,
    startPrice: String(startPrice),
    startSlot: Number(startSlot),
    cursor,
    cursorSlot: Number(cursorSlot),
    knownSlot: Number(knownSlot),
  };
}

async function countHistories(db: Database, which: SQL | undefined): Promise<number> {
  const [row] = await db.select({ histories: count() }).from(earnHistories).where(which);
  return row?.histories ?? 0;
}
