import { eq, sql } from 'drizzle-orm';
import { meta } from './schema/meta.ts';
import type { Database } from './index.ts';

/**
 * Locks the row `name` of `meta` until the transaction ends. Other transactions that take the same lock wait, on every
 * instance.
 *
 * @param db - The database of the transaction.
 *
 * @example
 * ```ts
 * import { takeAdvisoryLock } from './advisory-lock.ts';
 * import type { Store } from './index.ts';
 *
 * export function runAlone(store: Store, work: () => Promise<void>): Promise<void> {
 *   return store.transaction(async (db) => {
 *     await takeAdvisoryLock(db, 'counting');
 *     await work();
 *   });
 * }
 * ```
 */
export async function takeAdvisoryLock(db: Database, name: string): Promise<void> {
  await db
    .update(meta)
    .set({ value: sql`${meta.value}` })
    .where(eq(meta.name, name));
}
