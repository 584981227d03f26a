import { describe, expect, it } from 'vitest';
import { createTestEnd, createTestInvite, recordTestInvites } from '../../testing/invites/test-invites.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { removeOldInvites } from './invite-removal.ts';
import { invites } from './invite-tables.ts';

describe.each(STORES)('removeOldInvites on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('removes invites that ended so many days ago, and no others', async () => {
    await recordTestInvites(tested.store, 'n', [
      createTestInvite(1, { end: createTestEnd(1, 0n) }),
      createTestInvite(2, { end: createTestEnd(2, 1n) }),
      createTestInvite(3, { expiresAt: 0n }),
      createTestInvite(4, { end: createTestEnd(4, 0n, 'expired') }),
    ]);
    await recordTestInvites(tested.store, 'other', [createTestInvite(1, { end: createTestEnd(1, 0n) })]);
    const at = { network: 'n', now: 30n * 86_400n + 1n, isStopped: () => false };
    await removeOldInvites(tested.store, { ...at, historyDays: 0 });
    expect(await listKept()).toEqual(['n 1', 'n 2', 'n 3', 'n 4', 'other 1']);
    await removeOldInvites(tested.store, { ...at, historyDays: 30 });
    expect(await listKept()).toEqual(['n 2', 'n 3', 'other 1']);
  });

  it('goes on until nothing is left, in steps between which it can be stopped', async () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      createTestInvite(at + 1, { end: createTestEnd(at + 1, 0n) }),
    );
    await recordTestInvites(tested.store, 'n', many);
    let steps = 0;
    const at = { network: 'n', now: 86_401n, historyDays: 1 };
    await removeOldInvites(tested.store, { ...at, isStopped: () => steps++ >= 1 });
    expect(await listKept()).toHaveLength(300);
    await removeOldInvites(tested.store, { ...at, isStopped: () => false });
    expect(await listKept()).toEqual([]);
  });

  async function listKept(): Promise<readonly string[]> {
    const rows = await tested.store.db.select().from(invites);
    return rows.map(({ network, number }) => `${network} ${number}`).sort();
  }
});
