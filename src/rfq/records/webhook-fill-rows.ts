import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { webhookFills } from './maker-tables.ts';

/** The stored form of a swap that was sent to a maker. `RecordedWebhookState` lists the states. */
export interface WebhookFillRow {
  readonly requestId: string;
  readonly makerId: string;
  readonly state: string;
  readonly order: string;
  readonly offered: Uint8Array;
  readonly answer: string | null;
  readonly excuse: string | null;
  readonly offeredAt: number;
}

/** How long swaps are kept after their end: as long as the request log. */
const KEPT_MS = 180 * 24 * 60 * 60 * 1_000;

/** Returns false when the request already has a swap. */
export async function beginWebhookFill(
  { db }: Store,
  { offered, ...row }: Omit<WebhookFillRow, 'answer'>,
): Promise<boolean> {
  const begun = await db
    .insert(webhookFills)
    .values({ ...row, offered: Buffer.from(offered).toString('base64'), answer: null, endedAt: null })
    .onConflictDoNothing()
    .returning({ requestId: webhookFills.requestId });
  return begun.length > 0;
}

/** Writes a state of a swap that has not ended, and the excuse of its maker if there is a new one. */
export async function noteWebhookFill(
  { db }: Store,
  requestId: string,
  state: string,
  excuse: string | null,
): Promise<void> {
  const open = and(eq(webhookFills.requestId, requestId), isNull(webhookFills.endedAt));
  const changes = excuse === null ? { state } : { state, excuse };
  await db.update(webhookFills).set(changes).where(open);
}

/** Returns false when the swap has ended already. */
export async function endWebhookFill(
  { db }: Store,
  requestId: string,
  end: { readonly state: string; readonly answer: string; readonly endedAt: number },
): Promise<boolean> {
  const open = and(eq(webhookFills.requestId, requestId), isNull(webhookFills.endedAt));
  const ended = await db
    .update(webhookFills)
    .set(end)
    .where(open)
    .returning({ requestId: webhookFills.requestId });
  return ended.length > 0;
}

export async function findWebhookFill({ db }: Store, requestId: string): Promise<WebhookFillRow | null> {
  const [row] = await db.select().from(webhookFills).where(eq(webhookFills.requestId, requestId));
  return row === undefined ? null : fillRow(row);
}

export async function listUnfinishedWebhookFills({ db }: Store): Promise<readonly WebhookFillRow[]> {
  return (await db.select().from(webhookFills).where(isNull(webhookFills.endedAt))).map(fillRow);
}

export async function forgetOldWebhookFills({ db }: Store, now: number): Promise<void> {
  await db
    .delete(webhookFills)
    .where(and(isNotNull(webhookFills.endedAt), lt(webhookFills.endedAt, now - KEPT_MS)));
}

function fillRow(row: typeof webhookFills.$inferSelect): WebhookFillRow {
  return { ...row, offered: new Uint8Array(Buffer.from(row.offered, 'base64')) };
}
