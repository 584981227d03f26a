import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { meta } from '../../store/schema/meta.ts';
import type { Database } from '../../store/index.ts';

/**
 * The row of `meta` that a change raises, so that other processes notice it, and that every change locks. Each change adds a random number: after a
 * failover or a restore that loses changes, other changes do not lead to the same revision.
 */
export const REVISION = 'revision';

/** The integers of the databases have room for 2^31 such steps. */
const MAX_STEP = 2 ** 31;

/** Raises the revision. The row stays locked until the transaction ends, so no other change can begin before. */
export async function raiseRevision(db: Database): Promise<void> {
  await db
    .update(meta)
    .set({ value: sql`cast(cast(${meta.value} as bigint) + ${randomInt(1, MAX_STEP)} as text)` })
    .where(eq(meta.name, REVISION));
}
