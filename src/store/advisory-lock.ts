import { eq, sql } from 'drizzle-orm';
import { meta } from './schema.ts';
import type { Database } from './index.ts';

/** Until the transaction ends nobody else gets beyond this with the same entry of `meta`, in any instance. */
export async function takeAdvisoryLock(db: Database, name: string): Promise<void> {
  await db
    .update(meta)
    .set({ value: sql`${meta.value}` })
    .where(eq(meta.name, name));
}
