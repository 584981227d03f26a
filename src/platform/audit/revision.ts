import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { meta } from '../../store/schema.ts';
import type { Database } from '../../store/index.ts';

/**
 * The entry that every change raises, so that other processes see that there was one. Each raises it by another number: a
 * database that lost its last changes, as by a failover or a restore, does not come to the same revision by other changes.
 */
export const REVISION = 'revision';

/** There is room for 2^31 changes in what the databases count with. */
const MAX_STEP = 2 ** 31;

/** Until the transaction ends no other change can begin, because the entry is locked. */
export async function raiseRevision(db: Database): Promise<void> {
  await db
    .update(meta)
    .set({ value: sql`cast(cast(${meta.value} as bigint) + ${randomInt(1, MAX_STEP)} as text)` })
    .where(eq(meta.name, REVISION));
}
