import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { createDatabase } from '../../store/sql/sql.ts';
import { createTestEnd, createTestInvite, recordTestInvites } from '../../testing/invites/test-invites.ts';
import { openForEach } from '../../testing/opened.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import type { InvitePage, InviteQuery } from '../invite.ts';
import { InviteRecords } from './invite-records.ts';

const [SENDER, RECEIVER, OTHER] = ['sender', 'receiver', 'other'] as Address[] as [Address, Address, Address];

describe.each(STORES)('InviteRecords on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('lists what a sender can still take back, page by page, the newest first', async () => {
    await recordTestInvites(tested.store, 'n', [
      ...[1, 2, 3, 4, 5].map((number) => createTestInvite(number, { createdAt: 7n })),
      createTestInvite(6, { end: createTestEnd(6, 50n) }),
      createTestInvite(7, { sender: OTHER }),
      createTestInvite(8, { expiresAt: 100n }),
      createTestInvite(9, { expiresAt: 101n }),
    ]);
    const records = new InviteRecords(tested.store, 'n');
    const pages = [];
    for (const page of [1, 2, 3, 4, 1_000_000_000]) {
      pages.push(await records.listPending(ask(SENDER, { page, perPage: 2 }), 100n));
    }
    expect(pages.map(listNames)).toEqual([
      ['invite 9', 'invite 5'],
      ['invite 4', 'invite 3'],
      ['invite 2', 'invite 1'],
      [],
      [],
    ]);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false, false, false]);
    expect(pages[1]?.invites[0]).toEqual(createTestInvite(4, { createdAt: 7n }));
    const elsewhere = new InviteRecords(tested.store, 'other');
    expect(await elsewhere.listPending(ask(SENDER), 100n)).toEqual({ invites: [], hasMore: false });
  });

  it('lists what a wallet sent and received, by the second of the end and then of the creation', async () => {
    await recordTestInvites(tested.store, 'n', [
      createTestInvite(1, { end: createTestEnd(1, 50n) }),
      createTestInvite(2, { sender: OTHER, end: { ...createTestEnd(2, 50n), receiver: SENDER } }),
      createTestInvite(3, { end: { ...createTestEnd(3, 50n), receiver: SENDER } }),
      createTestInvite(4, { expiresAt: 50n }),
      createTestInvite(5, { end: createTestEnd(5, 51n, 'clawedBack') }),
      createTestInvite(6, { end: createTestEnd(6, 49n, 'expired'), expiresAt: 40n }),
      createTestInvite(7, { expiresAt: 61n }),
      createTestInvite(8, { sender: OTHER, end: createTestEnd(8, 60n) }),
      createTestInvite(9, { expiresAt: 60n }),
    ]);
    const records = new InviteRecords(tested.store, 'n');
    expect(listNames(await records.listHistory(ask(SENDER), 60n))).toEqual(
      [9, 5, 4, 3, 2, 1, 6].map((number) => `invite ${number}`),
    );
    expect(listNames(await records.listHistory(ask(RECEIVER), 60n))).toEqual(['invite 8', 'invite 1']);
    for (const perPage of [1, 3]) {
      const pages = [];
      for (let page = 1; page <= 8; page++) {
        pages.push(await records.listHistory(ask(SENDER, { page, perPage }), 60n));
      }
      expect(pages.flatMap(listNames)).toEqual([9, 5, 4, 3, 2, 1, 6].map((number) => `invite ${number}`));
      expect(pages.findIndex(({ hasMore }) => !hasMore)).toBe(Math.ceil(7 / perPage) - 1);
    }
    expect((await records.listHistory(ask(SENDER), 60n)).invites[0]).toMatchObject({
      end: null,
      expiresAt: 60n,
    });
    expect(listNames(await new InviteRecords(tested.store, 'other').listHistory(ask(SENDER), 60n))).toEqual(
      [],
    );
  });

  it('moves an expired invite from its expiry to its end when it is returned', async () => {
    const returned = createTestInvite(1, { expiresAt: 10n });
    await recordTestInvites(tested.store, 'n', [returned, createTestInvite(2, { expiresAt: 20n })]);
    const records = new InviteRecords(tested.store, 'n');
    expect(listNames(await records.listHistory(ask(SENDER), 30n))).toEqual(['invite 2', 'invite 1']);
    const end = createTestEnd(1, 30n, 'expired');
    await recordTestInvites(tested.store, 'n', [
      { ...returned, creationSignature: null, createdAt: null, end },
    ]);
    const { invites } = await records.listHistory(ask(SENDER), 30n);
    expect(invites).toEqual([{ ...returned, end }, createTestInvite(2, { expiresAt: 20n })]);
  });

  it('lists expired invites to the service that returns them, the oldest expiry first, from a cursor on', async () => {
    await recordTestInvites(tested.store, 'n', [
      createTestInvite(1, { expiresAt: 30n }),
      createTestInvite(2, { expiresAt: 20n, sender: OTHER }),
      createTestInvite(3, { expiresAt: 30n }),
      createTestInvite(4, { expiresAt: 31n }),
      createTestInvite(5, { expiresAt: 10n, end: createTestEnd(5, 5n) }),
      createTestInvite(6, { expiresAt: (1n << 63n) - 1n }),
    ]);
    await recordTestInvites(tested.store, 'other', [createTestInvite(7, { expiresAt: 1n })]);
    const records = new InviteRecords(tested.store, 'n');
    const first = await records.listExpired({ now: 30n, after: null, limit: 2 });
    expect(first.map(({ invite }) => invite)).toEqual(['invite 2', 'invite 1']);
    const rest = await records.listExpired({ now: 30n, after: first[1] ?? null, limit: 2 });
    expect(rest.map(({ invite }) => invite)).toEqual(['invite 3']);
    expect(await records.listExpired({ now: 30n, after: rest[0] ?? null, limit: 2 })).toEqual([]);
    expect(await records.listExpired({ now: 31n, after: rest[0] ?? null, limit: 2 })).toHaveLength(1);
  });

  it('keeps the largest amount and the latest expiry, and never calls such an invite expired', async () => {
    const invite = createTestInvite(1, { amount: (1n << 64n) - 1n, expiresAt: (1n << 63n) - 1n });
    await recordTestInvites(tested.store, 'n', [invite]);
    const records = new InviteRecords(tested.store, 'n');
    const now = 1n << 52n;
    expect((await records.listPending(ask(SENDER), now)).invites).toEqual([invite]);
    expect((await records.listHistory(ask(SENDER), now)).invites).toEqual([]);
    expect(await records.listExpired({ now, after: null, limit: 9 })).toEqual([]);
  });

  it('refuses pages behind the first 10,000 invites where there are any, and finds nothing where there are none', async () => {
    const asked: number[] = [];
    const page = { page: 502, perPage: 20 };
    for (const list of ['listPending', 'listHistory'] as const) {
      for (const found of [[], [[1]]]) {
        const db = createDatabase(async (_, parameters) => {
          asked.push(...parameters.slice(-2).map(Number));
          return found;
        });
        const records = new InviteRecords(replaced<Store>(tested.store, { db }), 'n');
        const listed = records[list](ask(SENDER, page), 1n);
        if (found.length === 0) expect(await listed).toEqual({ invites: [], hasMore: false });
        else await expect(listed).rejects.toThrow('page 502 begins behind the first 10000 invites');
      }
    }
    // One row is read behind so many.
    expect(asked).toEqual([1, 10_000, 1, 10_000, 1, 10_000, 1, 10_000]);
  });

  it.runIf(kind === 'sqlite')('finds a page in indexes alone, in the order of the list', async () => {
    const { db } = tested.store;
    const searches: string[][] = [];
    for (const statement of await listStatements(tested.store)) {
      const rows = (await db.execute(sql.raw(`explain query plan ${statement}`))) as unknown as unknown[][];
      searches.push(rows.map((row) => String(row.at(-1))).filter((line) => line.startsWith('SEARCH')));
      // A part of a history is not sorted before it is cut: only what is left of it is put into the order again.
      const order = rows.map((row) => String(row.at(-1)).replace(/ .*/, ''));
      expect(order.join(' ')).not.toContain('SEARCH USE');
    }
    const found = 'SEARCH invites USING COVERING INDEX';
    expect(searches).toEqual([
      [`${found} invites_pending (network=? AND sender=?)`],
      [
        `${found} invites_sent (network=? AND sender=?)`,
        `${found} invites_received (network=? AND receiver=?)`,
        `${found} invites_overdue (network=? AND sender=? AND expiry_second<?)`,
      ],
      [
        'SEARCH invites USING INDEX invites_expiring (network=? AND (expiry_second,invite)>(?,?) AND expiry_second<?)',
      ],
    ]);
  });
});

/** Returns the statements of all lists, with their parameters. */
async function listStatements(store: Store): Promise<readonly string[]> {
  const statements: string[] = [];
  const db = createDatabase(async (text, parameters) => {
    statements.push(
      text.replace(/\$(\d+)/g, (_, at) => {
        const value = parameters[Number(at) - 1];
        return typeof value === 'number' ? String(value) : `'${value}'`;
      }),
    );
    return [];
  });
  const records = new InviteRecords(replaced<Store>(store, { db }), 'n');
  await records.listPending(ask(SENDER, { page: 3 }), 5n);
  await records.listHistory(ask(SENDER, { page: 3 }), 5n);
  await records.listExpired({ now: 5n, after: { expiresAt: 3n, invite: OTHER }, limit: 10 });
  return statements;
}

function ask(wallet: Address, more: Partial<InviteQuery> = {}): InviteQuery {
  return { wallet, page: 1, perPage: 20, ...more };
}

function listNames({ invites }: InvitePage): readonly string[] {
  return invites.map(({ invite }) => invite);
}
