import { eq, sql } from 'drizzle-orm';
import { meta } from './schema.ts';
import type { Database } from './index.ts';

/** Locks the entry `name` of `meta` until the transaction ends; other transactions that ask for it wait, in any instance. */
export async function takeAdvisoryLock(db: Database, name: string): Promise<void> {
  await db
    .update(meta)
    .set({ value: sql`${meta.value}` })
    .where(eq(meta.name, name));
}
