import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from '../tables/audit-table.ts';
import { openTestStore, STORES, type TestStore } from '../../testing/store/test-store.ts';
import { openPlatform } from '../index.ts';
import { removeOldEntries } from './retention.ts';
import { now } from '../../testing/waits.ts';

describe.each(STORES)('removeOldEntries on %s', (kind) => {
  let test: TestStore;
  beforeEach(async () => {
    test = await openTestStore(kind);
  });
  afterEach(() => test.cleanUp());
  let count = 0;

  it('removes payments after seven years, and all other entries after one year', async () => {
    for (const days of [0, 365, 366, 7 * 365, 7 * 365 + 1]) {
      for (const action of ['plan.changed', 'payment.succeeded', 'payments']) await write(action, days);
    }
    await removeOldEntries(atNow());
    expect(await kept()).toEqual([
      ...['payment.succeeded 0', 'payment.succeeded 2555', 'payment.succeeded 365', 'payment.succeeded 366'],
      ...['payments 0', 'payments 365', 'plan.changed 0', 'plan.changed 365'],
    ]);
  });

  it('removes in small steps, and stops between them when asked to', async () => {
    for (let index = 0; index < 501; index++) await write('team.created', 400);
    let asked = 0;
    await removeOldEntries(atNow(), () => asked++ > 0);
    expect(await kept()).toHaveLength(1);
    await removeOldEntries(atNow());
    expect(await kept()).toEqual([]);
  });

  it("runs at the start of an instance and in its background, by the database's clock", async () => {
    await write('team.created', 400);
    await test.store.db.insert(auditLog).values({
      id: 'new',
      at: now(),
      actor: 'a',
      origin: 'b',
      action: 'team.created',
      subject: 'c',
      before: null,
      after: null,
    });
    const ticks: (() => void)[] = [];
    const platform = await openPlatform({
      store: test.store,
      keySecret: 's'.repeat(64),
      keyPrefix: 'jup_',
      products: [],
      memberTokenMs: null,
      demoKey: null,
      now: () => now() + 8 * 365 * DAY_MS,
      every: (_, work) => {
        ticks.push(work);
        return () => undefined;
      },
      onDefect: (error) => {
        throw error;
      },
    });
    await expect.poll(async () => (await kept()).length).toBe(1);
    await write('team.created', 400);
    for (const tick of ticks) tick();
    await expect.poll(async () => (await kept()).length).toBe(1);
    await platform.close();
    expect(await kept()).toHaveLength(1);
  });

  const atNow = () => ({ ...test.store, now: async () => NOW });

  const write = async (action: string, daysAgo: number) => {
    const at = NOW - daysAgo * DAY_MS;
    const row = { id: `${count++}`, at, actor: 'a', origin: 'b', subject: 'c', before: null, after: null };
    await test.store.db.insert(auditLog).values({ ...row, action });
  };
  const kept = async () =>
    (await test.store.db.select().from(auditLog))
      .map(({ action, at }) => `${action} ${(NOW - at) / DAY_MS}`)
      .sort();
});

const NOW = 1_790_000_000_000;
const DAY_MS = 86_400_000;
