import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSponsor } from './sponsor.ts';
import { createKeypairFromSeed } from '../solana/keypair.ts';
import { createDatabase } from '../store/sql/sql.ts';
import { openTestStore, STORES } from '../testing/store/test-store.ts';
import type { Store } from '../store/index.ts';
import { now } from '../testing/waits.ts';
import { openForEach } from '../testing/opened.ts';

let defects: unknown[];
let waits: { readonly delay: number; readonly callback: () => void }[];
const test = openForEach(() => openTestStore('sqlite'), 'cleanUp');
beforeEach(setUp);

describe('the budget of the sponsor', () => {
  it('is what is left of the limits, and survives a restart', async () => {
    const budget = budgetOver(test.store);
    expect(await budget.spend(one, 60n)).toBeNull();
    expect(await budget.spend(one, 1n)).toEqual({
      kind: 'taker-limit',
      taker: one,
      lamports: 61n,
      limit: 60n,
    });
    const after = budgetOver(await test.reopen());
    expect(await after.refusal(one, 1n)).toMatchObject({ kind: 'taker-limit', limit: 60n });
    expect(await after.refusal(two, 40n)).toBeNull();
    expect(await after.spend(two, 41n)).toEqual({ kind: 'total-limit', spent: 60n, limit: 100n });
    expect(defects).toEqual([]);
  });

  it('grows again by what turned out not to be spent', async () => {
    const budget = budgetOver(test.store);
    expect(await budget.spend(one, 60n)).toBeNull();
    budget.giveBack(one, 50n);
    await expect.poll(() => budget.refusal(one, 50n)).toBeNull();
    expect(await budget.refusal(one, 51n)).toMatchObject({ kind: 'taker-limit', limit: 60n });
    expect(defects).toEqual([]);
  });

  it('is zero while the database does not answer', async () => {
    const { store } = test;
    const broken: Store = {
      ...store,
      db: createDatabase(() => Promise.reject(new Error('gone'))),
      transaction: () => Promise.reject(new Error('gone')),
    };
    const budget = budgetOver(broken);
    expect(await budget.refusal(one, 1n)).toEqual(UNKNOWN);
    expect(await budget.spend(one, 1n)).toEqual(UNKNOWN);
    expect(defects).toHaveLength(2);
  });

  it.runIf(STORES.includes('postgresql'))(
    'is zero on a read-only PostgreSQL, for orders and for executions',
    async () => {
      const replica = await openTestStore('postgresql');
      try {
        const budget = budgetOver(replica.store);
        expect(await budget.refusal(one, 1n)).toBeNull();
        await makeReadOnly(replica.store);
        await expect.poll(() => budget.spend(one, 1n)).toEqual(UNKNOWN);
        await expect.poll(() => budget.refusal(one, 1n)).toEqual({ kind: 'uncountable' });
      } finally {
        await replica.cleanUp();
      }
    },
  );

  /** As after a failover to a replica: connections are ended, and new ones cannot write. */
  async function makeReadOnly({ db }: Store): Promise<void> {
    const name = `format('alter database %I set default_transaction_read_only = on', current_database())`;
    await db.execute(sql.raw(`do $$ begin execute ${name}; end $$`));
    const ours =
      'select pid from pg_stat_activity where datname = current_database() order by pid = pg_backend_pid()';
    await db
      .execute(sql.raw(`select pg_terminate_backend(pid) from (${ours}) as ours`))
      .catch(() => undefined);
  }

  it('does not keep an order waiting for a slow database', async () => {
    const slow: Store = { ...test.store, db: createDatabase(() => new Promise(() => {})) };
    const asked = budgetOver(slow).refusal(one, 1n);
    expect(waits.map(({ delay }) => delay)).toEqual([100]);
    waits[0]?.callback();
    expect(await asked).toEqual(UNKNOWN);
  });
});

describe.each(STORES)('the budget of instances on %s whose clocks differ', (kind) => {
  const shared = openForEach(() => openTestStore(kind), 'cleanUp');

  it('is not reset by an instance whose clock is two hours ahead', async () => {
    const today = now();
    expect(await budgetOver(shared.store, today).spend(one, 60n)).toBeNull();
    const ahead = budgetOver(shared.store, today + 2 * HOUR_MS);
    expect(await ahead.refusal(one, 1n)).toMatchObject({ kind: 'taker-limit', limit: 60n });
    expect(await ahead.spend(two, 41n)).toEqual({ kind: 'total-limit', spent: 60n, limit: 100n });
    expect(await ahead.spend(two, 40n)).toBeNull();
    expect(await budgetOver(shared.store, today).refusal(one, 1n)).toMatchObject({
      kind: 'taker-limit',
      limit: 60n,
    });
    const behind = budgetOver(shared.store, today - 2 * HOUR_MS);
    expect(await behind.spend(two, 1n)).toEqual({ kind: 'total-limit', spent: 100n, limit: 100n });
  });

  const HOUR_MS = 3_600_000;
});

const CONFIG = {
  keypair: 'own',
  leastDollars: 10,
  feeMints: [],
  limits: { perTaker: 60n, inAll: 100n },
} as const;
const UNKNOWN = { kind: 'unknown' };

const keypairOf = (number: number) => createKeypairFromSeed(new Uint8Array(32).fill(number));
const own = keypairOf(1);
const [one, two] = [keypairOf(2).address, keypairOf(3).address];

function setUp(): void {
  defects = [];
  waits = [];
}

function budgetOver(store: Store, now = 1_790_000_000_000) {
  const timers = {
    now: () => now,
    after: (delay: number, callback: () => void) => {
      waits.push({ delay, callback });
      return () => {};
    },
  };
  const sponsor = openSponsor(CONFIG, { own, store, timers, onDefect: (error) => defects.push(error) });
  if (sponsor === null) throw new Error('there is no sponsor');
  return sponsor.budget;
}
