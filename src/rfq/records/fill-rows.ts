import { and, eq, gte, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { fills } from './maker-tables.ts';

/** A fill as it is stored. `RecordedState` lists the states. */
export interface FillRow {
  readonly swapUuid: string;
  readonly requestId: string;
  readonly makerId: string;
  readonly state: string;
  readonly order: string;
  readonly offered: Uint8Array;
  readonly signed: Uint8Array | null;
  readonly answer: string | null;
  readonly offeredAt: number;
}

/** How long fills are kept after their end: as long as the request log. */
const KEPT_MS = 180 * 24 * 60 * 60 * 1_000;

/**
 * Inserts a fill. The taker and the maker wait for the write, so it is `unsynced`.
 * Returns false when the request already has a fill.
 */
export async function beginFill(
  { unsynced }: Store,
  { offered, ...row }: Omit<FillRow, 'signed' | 'answer'>,
): Promise<boolean> {
  const begun = await unsynced
    .insert(fills)
    // SQLite has no keyword `default` for a value.
    .values({ ...row, offered: base64(offered), signed: null, answer: null, endedAt: null })
    .onConflictDoNothing()
    .returning({ swapUuid: fills.swapUuid });
  return begun.length > 0;
}

/**
 * Removes a fill. The taker waits for the write, so it is `unsynced`.
 * @param from - The state that the fill must be in.
 * @returns false when the fill is in another state
 */
export async function discardFill({ unsynced }: Store, swapUuid: string, from: string): Promise<boolean> {
  const discarded = await unsynced
    .delete(fills)
    .where(and(eq(fills.swapUuid, swapUuid), eq(fills.state, from)))
    .returning({ swapUuid: fills.swapUuid });
  return discarded.length > 0;
}

/**
 * Moves a fill from one state to the next.
 * Returns false when the fill is no longer in the first state.
 */
export async function signFill(
  { db }: Store,
  swapUuid: string,
  signed: Uint8Array,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const moved = await db
    .update(fills)
    .set({ state: to, signed: base64(signed) })
    .where(and(eq(fills.swapUuid, swapUuid), eq(fills.state, from)))
    .returning({ swapUuid: fills.swapUuid });
  return moved.length > 0;
}

/**
 * Writes the end of a fill. Only the first end is kept.
 * @param from - The state that the fill must be in.
 * @returns false when the fill has ended already or is in another state
 */
export async function endFill(
  { db }: Store,
  swapUuid: string,
  end: { readonly state: string; readonly answer: string; readonly endedAt: number },
  from?: string,
): Promise<boolean> {
  const inState = from === undefined ? undefined : eq(fills.state, from);
  const ended = await db
    .update(fills)
    .set(end)
    .where(and(eq(fills.swapUuid, swapUuid), isNull(fills.endedAt), inState))
    .returning({ swapUuid: fills.swapUuid });
  return ended.length > 0;
}

export async function findFillOfRequest({ db }: Store, requestId: string): Promise<FillRow | null> {
  const [row] = await db.select().from(fills).where(eq(fills.requestId, requestId));
  return row === undefined ? null : fillRow(row);
}

/** @param makerId - Null for the fills of every maker. */
export async function listUnfinishedFills(
  { db }: Store,
  makerId: string | null = null,
): Promise<readonly FillRow[]> {
  const ofMaker = makerId === null ? undefined : eq(fills.makerId, makerId);
  return (
    await db
      .select()
      .from(fills)
      .where(and(isNull(fills.endedAt), ofMaker))
  ).map(fillRow);
}

/** @param since - Unix milliseconds. */
export async function listFillsEndedSince({ db }: Store, since: number): Promise<readonly FillRow[]> {
  return (await db.select().from(fills).where(gte(fills.endedAt, since))).map(fillRow);
}

export async function forgetOldFills({ db }: Store, now: number): Promise<void> {
  await db.delete(fills).where(and(isNotNull(fills.endedAt), lt(fills.endedAt, now - KEPT_MS)));
}

function fillRow(row: typeof fills.$inferSelect): FillRow {
  return {
    ...row,
    offered: bytes(row.offered),
    signed: row.signed === null ? null : bytes(row.signed),
  };
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString('base64');
}

/** Returns bytes in a buffer of their own, which can be transferred to another thread. */
function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
