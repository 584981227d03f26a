import { once } from 'node:events';
import { eq, sql } from 'drizzle-orm';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { meta } from '../../store/schema/meta.ts';

/** Locks a row in a transaction that never ends, and reports it on standard output. Tests run this as a process. */
async function hold(url: string, maxMs: number): Promise<void> {
  const store = await openPostgres({ url, timeoutMs: maxMs });
  await store.transaction(async (db) => {
    await db
      .update(meta)
      .set({ value: sql`${meta.value}` })
      .where(eq(meta.name, 'sponsored'));
    process.stdout.write('locked\n');
    // Standard input stays open for as long as the test runs.
    await once(process.stdin.resume(), 'end');
  });
}

const { SLUICE_TEST_HOLD, SLUICE_TEST_HOLD_MS } = process.env;
if (SLUICE_TEST_HOLD !== undefined) await hold(SLUICE_TEST_HOLD, Number(SLUICE_TEST_HOLD_MS));
