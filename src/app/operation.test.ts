import { afterEach, describe, expect, it } from 'vitest';
import { PartWatch } from '../gateway/operation/part-watch.ts';
import { BoundedReading } from '../gateway/operation/bounded-reading.ts';
import type { ReadinessCheck } from '../products/product.ts';
import { openLogDatabase } from '../store/log/open-log-database.ts';
import { LeapingTimers, ManualTimers } from '../testing/timers.ts';
import { createTestDatabase, openMigratedStore, STORES } from '../testing/store/test-store.ts';
import { openLine, openTestValkey, TEST_VALKEY_URL } from '../testing/store/test-valkey.ts';
import { listStores } from './operation.ts';

describe.runIf(STORES.includes('postgresql'))('the stores of an operator, on PostgreSQL', () => {
  it('say their size, hold up nobody while the server hangs, and are known to be lost since then', async () => {
    const database = await createTestDatabase();
    const line = await openLine(database.url);
    const store = await openMigratedStore({ url: line.url, folder: '' });
    const logDatabase = await openLogDatabase({ url: line.url, folder: '' });
    undo(() => database.drop());
    undo(() => line.close());
    undo(() => store.close());
    undo(() => logDatabase.close());
    const [watched, ...others] = listStores({ store, logDatabase, valkey: null });
    expect(others).toEqual([]);
    expect(watched).toMatchObject({ kind: 'PostgreSQL', part: 'database' });
    const leaping = new LeapingTimers();
    const reading = new BoundedReading(() => watched?.measure() ?? Promise.resolve(null), {
      timers: leaping,
      freshMs: 4_000,
      waitMs: 100,
    });
    await expect.poll(async () => (await reading.get())?.value).toBeGreaterThan(1_000_000);
    const watch = watchParts([{ name: 'database', unhealthy: store.unhealthy }]);
    await watch.first;
    expect(watch.states[0]?.reason).toBeNull();
    line.holdUp();
    leaping.leap(5_000);
    const before = await reading.get();
    expect(before?.value).toBeGreaterThan(1_000_000);
    line.cut();
    await expect.poll(() => checkAgain(watch)).toMatch(/does not answer|not answered/);
    expect(watch.changes[0]).toMatchObject({ part: 'database', at: watch.states[0]?.since });
  });
});

describe.runIf(TEST_VALKEY_URL !== null)('the stores of an operator, on Valkey', () => {
  it('say what memory the server uses, and reject while it is gone', async () => {
    const line = await openLine();
    const { valkey } = await openTestValkey(line.url);
    undo(() => line.close());
    undo(() => valkey.close());
    expect(await valkey.readMemory()).toBeGreaterThan(100_000);
    const watch = watchParts([{ name: 'valkey', unhealthy: valkey.unhealthy, optional: true }]);
    await watch.first;
    expect(watch.states[0]?.reason).toBeNull();
    line.cut();
    await expect(valkey.readMemory()).rejects.toThrow();
    await expect.poll(() => checkAgain(watch)).toMatch(/Valkey does not answer/);
    await line.restore();
    await expect.poll(() => checkAgain(watch)).toBeNull();
    expect(watch.changes.map(({ reason }) => reason === null)).toEqual([true, false]);
  });
});

const toUndo: (() => unknown)[] = [];
const undo = (work: () => unknown) => void toUndo.unshift(work);

afterEach(async () => {
  for (const work of toUndo.splice(0)) await work();
});

const timers = new ManualTimers();

function watchParts(checks: readonly ReadinessCheck[]): PartWatch {
  const watch = new PartWatch({
    checks,
    timers,
    stopwatch: () => 0,
    onDefect: (error) => {
      throw error;
    },
  });
  undo(() => watch.close());
  return watch;
}

/** Lets the pause before the next round pass. Returns why the part did not work when it was checked last. */
function checkAgain(watch: PartWatch): string | null | undefined {
  timers.advance(5_000);
  return watch.states[0]?.reason;
}
