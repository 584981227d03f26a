import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { HistoryCursor } from '../../chain/address-history.ts';
import type { EventRecorder } from '../../chain/events/followed-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import {
  computeInviteChanges,
  type InviteChanges,
  type InviteStep,
  type NumberedInvite,
} from './invite-changes.ts';
import { readInviteRow, toInviteColumns } from './invite-rows.ts';
import { inviteCursors, invites, IS_OPEN_ROW } from './invite-tables.ts';

/**
 * Records the invites of one network, and how far the events of the program were read. Every recording moves the cursor in the
 * same transaction, and is done only if the cursor still stands where the caller has read on from. So any number of instances can
 * record the same events at the same time, or crash at any point: each event counts once.
 */
export class InviteRecorder implements EventRecorder<InviteStep> {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Returns null if nobody has begun to follow the program. */
  async findCursor(): Promise<HistoryCursor | null> {
    const [row] = await this.#store.db
      .select()
      .from(inviteCursors)
      .where(eq(inviteCursors.network, this.#network));
    return row === undefined ? null : { signature: row.signature, slot: BigInt(row.slot) };
  }

  /** Begins to follow the program. Returns where: another instance may have begun a moment earlier. */
  async begin({ signature, slot }: HistoryCursor): Promise<HistoryCursor> {
    await this.#store.db
      .insert(inviteCursors)
      .values({ network: this.#network, signature, slot: Number(slot), invites: 0 })
      .onConflictDoNothing();
    return (await this.findCursor()) ?? { signature, slot };
  }

  /**
   * Records what transactions did, and moves the cursor to the last of them.
   *
   * @param from - Where the caller has read on from.
   * @returns False if the cursor stands elsewhere. Nothing is recorded then.
   */
  async record(from: HistoryCursor, to: HistoryCursor, steps: readonly InviteStep[]): Promise<boolean> {
    return this.#store.transaction(async (db) => {
      // A second instance waits here until the transaction of the first has ended, and then finds another cursor.
      const [moved] = await db
        .update(inviteCursors)
        .set({ signature: to.signature, slot: Number(to.slot) })
        .where(this.#isAt(from))
        .returning({ invites: inviteCursors.invites });
      if (moved === undefined) return false;
      if (steps.length === 0) return true;
      const known = await this.#readOpen(db, steps);
      await this.#write(db, computeInviteChanges(steps, known, moved.invites));
      return true;
    });
  }

  /**
   * Deletes everything about the invites, because the network was created again with the same genesis.
   *
   * @param from - Where the caller has found the cursor. If it stands elsewhere, another instance has done it.
   */
  async forget(from: HistoryCursor): Promise<void> {
    await this.#store.transaction(async (db) => {
      const gone = await db
        .delete(inviteCursors)
        .where(this.#isAt(from))
        .returning({ network: inviteCursors.network });
      if (gone.length > 0) await db.delete(invites).where(eq(invites.network, this.#network));
    });
  }

  async #readOpen(db: Database, steps: readonly InviteStep[]): Promise<readonly NumberedInvite[]> {
    const open: NumberedInvite[] = [];
    for (const some of splitRows<Address>([...new Set(steps.map(({ invite }) => invite))])) {
      const rows = await db
        .select()
        .from(invites)
        .where(and(eq(invites.network, this.#network), inArray(invites.invite, some), IS_OPEN_ROW));
      open.push(...rows.map((row) => ({ number: row.number, invite: readInviteRow(row) })));
    }
    return open;
  }

  async #write(db: Database, { inserted, updated, removed, invites: count }: InviteChanges): Promise<void> {
    const network = this.#network;
    for (const some of splitRows(removed)) {
      await db.delete(invites).where(and(eq(invites.network, network), inArray(invites.number, some)));
    }
    // An invite that has ended makes room for an open one at the same address.
    for (const { number, invite } of updated) {
      await db
        .update(invites)
        .set(toInviteColumns(invite))
        .where(and(eq(invites.network, network), eq(invites.number, number)));
    }
    for (const some of splitRows(inserted)) {
      await db
        .insert(invites)
        .values(some.map(({ number, invite }) => ({ ...toInviteColumns(invite), network, number })));
    }
    if (inserted.length === 0) return;
    await db.update(inviteCursors).set({ invites: count }).where(eq(inviteCursors.network, network));
  }

  #isAt({ signature, slot }: HistoryCursor): SQL | undefined {
    const { network, signature: column, slot: slotColumn } = inviteCursors;
    const isSame = signature === null ? isNull(column) : eq(column, signature);
    return and(eq(network, this.#network), isSame, eq(slotColumn, Number(slot)));
  }
}
