import { eq, sql } from 'drizzle-orm';
import { meta } from '../store/schema.ts';
import type { Database } from '../store/index.ts';

/** The entry that every change raises, so that other processes see that there was one. */
export const REVISION = 'revision';

/** Until the transaction ends no other change can begin, because the entry is locked. */
export async function raiseRevision(db: Database): Promise<void> {
  await db
    .update(meta)
    .set({ value: sql`cast(cast(${meta.value} as bigint) + 1 as text)` })
    .where(eq(meta.name, REVISION));
}
