import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { minimum } from '../../solana/units.ts';
import { openTestStore, STORES, type TestStore } from '../../testing/store/test-store.ts';
import { numbered } from '../../testing/test-tokens.ts';
import type { Store } from '../../store/index.ts';
import { gasSpent } from '../store/order-tables.ts';
import { describeGasRefusal, GasBudget } from './gas-budget.ts';

describe.each(STORES)('GasBudget on %s', (kind) => {
  let test: TestStore;
  let now = 0;
  beforeEach(async () => {
    test = await openTestStore(kind);
    now = START;
  });
  afterEach(() => test.cleanUp());

  it('counts what is spent in a day for each wallet and for all, as a model does', async () => {
    const wish = fc.record({
      wallet: fc.constantFrom(ONE, TWO, THREE),
      lamports: fc.bigInt(0n, 60n),
      hours: fc.integer({ min: 0, max: 9 }),
      back: fc.option(fc.bigInt(0n, 60n)),
    });
    let payers = 0;
    await assertProperty(
      fc.asyncProperty(fc.array(wish, { maxLength: 12 }), async (wishes) => {
        now = START;
        const budget = open(LIMITS, { payer: numbered(1_000 + payers++) });
        const spent = new Map<string, bigint>();
        const of = (key: string) => spent.get(key) ?? 0n;
        for (const { wallet, lamports, hours, back } of wishes) {
          now += hours * HOUR_MS;
          const day = Math.floor(now / (24 * HOUR_MS));
          const keys = [`${day} ${wallet}`, `${day}`] as const;
          const admitted =
            of(keys[0]) + lamports <= LIMITS.perWallet && of(keys[1]) + lamports <= LIMITS.inAll;
          const result = await budget.spend(wallet, lamports);
          expect(result.ok).toBe(admitted);
          if (result.ok) {
            const given = minimum(back ?? 0n, lamports);
            const left = lamports - given;
            await budget.giveBack(result.charge, given);
            for (const key of keys) spent.set(key, of(key) + left);
          } else {
            expect(result.refusal.spent + lamports).toBeGreaterThan(result.refusal.limit);
          }
          expect(await budget.today(wallet)).toEqual({ day, byWallet: of(keys[0]), inAll: of(keys[1]) });
        }
      }),
      { cases: 6, seed: 20_261_128 },
    );
  });

  it('keeps both limits when many spend at the same time, on every instance', async () => {
    const stores = kind === 'sqlite' ? [test.store] : [test.store, await test.reopen()];
    const budgets = stores.map((store) => open({ perWallet: 50n, inAll: 120n }, { store }));
    const wallets = [ONE, TWO, THREE];
    const results = await Promise.all(
      Array.from({ length: 36 }, (_, index) =>
        budgets[index % budgets.length]?.spend(wallets[index % 3] ?? ONE, 10n),
      ),
    );
    expect(results.filter((result) => result?.ok)).toHaveLength(12);
    const spent = await Promise.all(wallets.map((wallet) => budgets[0]?.today(wallet)));
    expect(spent.map((each) => each?.inAll)).toEqual([120n, 120n, 120n]);
    expect(spent.reduce((sum, each) => sum + (each?.byWallet ?? 0n), 0n)).toBe(120n);
    expect(spent.every((each) => (each?.byWallet ?? 0n) <= 50n)).toBe(true);
  });

  it('counts what comes together in one transaction, and refuses in it only what is too much', async () => {
    let transactions = 0;
    const transaction: Store['transaction'] = (work) => {
      transactions++;
      return test.store.transaction(work);
    };
    const budget = open({ perWallet: 50n, inAll: 500n }, { store: { ...test.store, transaction } });
    const wallets = [...Array.from({ length: 6 }, () => ONE), TWO, TWO, TWO];
    const results = await Promise.all(wallets.map((wallet) => budget.spend(wallet, 10n)));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false, true, true, true]);
    expect(transactions).toBe(1);
    await Promise.all(results.map((one) => (one.ok ? budget.giveBack(one.charge, 4n) : null)));
    expect(transactions).toBe(2);
    expect(await budget.today(ONE)).toMatchObject({ byWallet: 30n, inAll: 48n });
  });

  it('leaves nothing counted of what the limit of all refuses', async () => {
    const budget = open({ perWallet: 50n, inAll: 60n });
    expect(await budget.spend(ONE, 50n)).toMatchObject({ ok: true });
    const refused = await budget.spend(TWO, 20n);
    expect(refused).toEqual({ ok: false, refusal: { kind: 'total-limit', spent: 50n, limit: 60n } });
    expect(await budget.today(TWO)).toMatchObject({ byWallet: 0n, inAll: 50n });
    expect(refused.ok ? '' : describeGasRefusal(refused.refusal, TWO)).toBe(
      'the fills of all orders together have cost 50 of 60 lamports today, which leaves too little for this one',
    );
  });

  it('takes back from the day that was counted, survives a restart, and forgets the day before yesterday', async () => {
    const first = await open(LIMITS).spend(ONE, 30n);
    now += 24 * HOUR_MS;
    const store = await test.reopen();
    const budget = open(LIMITS, { store });
    await budget.spend(ONE, 40n);
    if (first.ok) await budget.giveBack(first.charge, 25n);
    expect(await budget.today(ONE)).toMatchObject({ byWallet: 40n, inAll: 40n });
    expect(await rowsOf(store, ONE)).toEqual([5n, 40n]);
    now += 24 * HOUR_MS;
    await budget.spend(ONE, 1n);
    expect(await rowsOf(store, ONE)).toEqual([40n, 1n]);
    // The row is gone, and giving back to it does nothing.
    if (first.ok) await budget.giveBack(first.charge, 5n);
    expect(await rowsOf(store, ONE)).toEqual([40n, 1n]);
  });

  const open = (
    limits: typeof LIMITS,
    { store = test.store, payer = PAYER }: { readonly store?: Store; readonly payer?: typeof PAYER } = {},
  ) => new GasBudget(payer, limits, { ...withClock(store, () => now) });

  const rowsOf = async (store: Store, wallet: string) => {
    const rows = await store.db.select().from(gasSpent);
    return rows
      .filter((row) => row.wallet === wallet)
      .sort((one, other) => one.day - other.day)
      .map(({ lamports }) => lamports);
  };
});

const HOUR_MS = 3_600_000;
const START = 1_790_000_000_000;
const [PAYER, ONE, TWO, THREE] = [numbered(1), numbered(2), numbered(3), numbered(4)];
const LIMITS = { perWallet: 100n, inAll: 150n };

/** The store with a clock that the test moves. */
function withClock(store: Store, now: () => number): Store {
  return { ...store, now: async () => now() };
}
