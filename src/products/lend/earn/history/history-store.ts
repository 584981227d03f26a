import { and, eq, gt, lte } from 'drizzle-orm';
import type { EarnMovement } from '../../../../lending/earn/movements.ts';
import type { Address } from '../../../../solana/address.ts';
import type { Store } from '../../../../store/index.ts';
import { earnHistories, earnMovements } from '../../../../store/schema.ts';

/** From when on the movements of a followed address are known, and up to which transaction. */
export interface History {
  /** Unix seconds. */
  readonly startedAt: number;
  /** The price of the receipt token at that time; 12 decimals. */
  readonly startPrice: bigint;
  /** Movements of later slots count. */
  readonly startSlot: bigint;
  /** Null before the first transaction. */
  readonly cursor: string | null;
  readonly cursorSlot: bigint;
}

/** The movements of one transaction. */
export interface RecordedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly movements: readonly EarnMovement[];
}

/** What an owner moved since the start of a history, in atoms. */
export interface Totals {
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly minted: bigint;
  readonly burned: bigint;
}

/** Slots later than `after`, up to and with `upTo`. */
export interface SlotRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/**
 * Movements in earn tokens, in the database. A transaction can be recorded any number of times, by any number of
 * instances: it counts once.
 */
export class HistoryStore {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - Genesis hash: movements of one network say nothing about another. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** @returns null if the address was never followed */
  async find(address: Address): Promise<History | null> {
    const [row] = await this.#store.db
      .select()
      .from(earnHistories)
      .where(and(eq(earnHistories.network, this.#network), eq(earnHistories.address, address)));
    if (row === undefined) return null;
    const { startedAt, startPrice, startSlot, cursor, cursorSlot } = row;
    return {
      startedAt,
      startPrice: BigInt(startPrice),
      startSlot: BigInt(startSlot),
      cursor,
      cursorSlot: BigInt(cursorSlot),
    };
  }

  /** Begins to follow an address, unless another instance has begun already. */
  async begin(address: Address, history: History): Promise<void> {
    await this.#store.db
      .insert(earnHistories)
      .values({ network: this.#network, address, ...columnsOf(history) })
      .onConflictDoNothing();
  }

  /** Begins a history again: what was recorded before does not count any more. */
  async restart(address: Address, history: History): Promise<void> {
    await this.#store.db
      .update(earnHistories)
      .set(columnsOf(history))
      .where(and(eq(earnHistories.network, this.#network), eq(earnHistories.address, address)));
  }

  /**
   * Records transactions and moves the cursor behind the last of them, all or nothing. It does nothing where the cursor is
   * further already: whoever moved it has recorded them.
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

  /** Forgets everything about the network, because it was founded again with the same genesis. */
  async forget(): Promise<void> {
    const network = this.#network;
    await this.#store.transaction(async (db) => {
      await db.delete(earnMovements).where(eq(earnMovements.network, network));
      await db.delete(earnHistories).where(eq(earnHistories.network, network));
    });
  }

  /** @returns what an owner moved in one earn token within a range of slots, as far as it is recorded */
  async totals(owner: Address, receiptMint: Address, { after, upTo }: SlotRange): Promise<Totals> {
    const rows = await this.#store.db
      .select({ kind: earnMovements.kind, assets: earnMovements.assets, shares: earnMovements.shares })
      .from(earnMovements)
      .where(
        and(
          eq(earnMovements.network, this.#network),
          eq(earnMovements.owner, owner),
          eq(earnMovements.receiptMint, receiptMint),
          gt(earnMovements.slot, Number(after)),
          lte(earnMovements.slot, Number(upTo)),
        ),
      );
    const sum = (kind: EarnMovement['kind'], field: 'assets' | 'shares') =>
      rows.reduce((total, row) => (row.kind === kind ? total + BigInt(row[field]) : total), 0n);
    return {
      deposited: sum('deposit', 'assets'),
      withdrawn: sum('withdrawal', 'assets'),
      minted: sum('deposit', 'shares'),
      burned: sum('withdrawal', 'shares'),
    };
  }
}

function columnsOf({ startedAt, startPrice, startSlot, cursor, cursorSlot }: History) {
  return {
    startedAt,
    startPrice: String(startPrice),
    startSlot: Number(startSlot),
    cursor,
    cursorSlot: Number(cursorSlot),
  };
}
