import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore, STORES, type TestStore } from '../../testing/store/test-store.ts';
import { sponsored } from './sponsor-tables.ts';
import { giveBackSponsored, readSponsoredWithinHour, spendSponsored } from './spending.ts';

describe.each(STORES)('sponsored spending on %s', (kind) => {
  let test: TestStore;
  beforeEach(async () => {
    test = await openTestStore(kind);
  });
  afterEach(() => test.cleanUp());

  it('counts everything of the last hour, and nothing older than a minute more', async () => {
    const wish = fc.record({
      taker: fc.constantFrom('one', 'two', 'three'),
      lamports: fc.bigInt(1n, 2n ** 62n / 12n),
      pause: fc.integer({ min: 0, max: HOUR_MS / 4 }),
    });
    let sponsor = 0;
    await assertProperty(
      fc.asyncProperty(fc.array(wish, { maxLength: 12 }), async (wishes) => {
        const name = `sponsor ${sponsor++}`;
        const all: { at: number; taker: string; lamports: bigint }[] = [];
        const sum = (within: number, now: number, taker?: string) =>
          all
            .filter((one) => one.at > now - within && (taker === undefined || one.taker === taker))
            .reduce((total, { lamports }) => total + lamports, 0n);
        let now = START;
        for (const { taker, lamports, pause } of wishes) {
          now += pause;
          const parties = { sponsor: name, taker };
          const counted = await readSponsoredWithinHour(test.store.db, parties, at(now));
          expect(counted.byTaker).toBeGreaterThanOrEqual(sum(HOUR_MS, now, taker));
          expect(counted.byTaker).toBeLessThanOrEqual(sum(HOUR_MS + MINUTE_MS, now, taker));
          expect(counted.inAll).toBeGreaterThanOrEqual(sum(HOUR_MS, now));
          expect(counted.inAll).toBeLessThanOrEqual(sum(HOUR_MS + MINUTE_MS, now));
          await spendSponsored(test.store, parties, { lamports, clock: at(now) }, () => null);
          all.push({ at: now, taker, lamports });
        }
      }),
      { cases: 12, seed: 20_261_121 },
    );
  });

  it('never counts less than was really spent within the hour, whatever is given back', async () => {
    const giveBack = (taker: string, lamports: bigint, now: number) =>
      giveBackSponsored(test.store, { sponsor: SPONSOR, taker }, { lamports, clock: at(now) });
    expect(await spend('one', 50n, START)).toBe(true);
    expect(await spend('two', 50n, START + 5 * MINUTE_MS)).toBe(true);
    await giveBack('two', 40n, START + 6 * MINUTE_MS);
    expect(await spent('one', START + 6 * MINUTE_MS)).toEqual({ byTaker: 50n, inAll: 60n });
    expect(await spent('two', START + 6 * MINUTE_MS)).toEqual({ byTaker: 10n, inAll: 60n });
    // The first minute has expired, and of the second no more than the amount given back was subtracted.
    const later = await spent('two', START + HOUR_MS + 2 * MINUTE_MS);
    expect(later.byTaker).toBe(10n);
    expect(later.inAll).toBeGreaterThanOrEqual(10n);
    await giveBack('two', 1_000n, START + 7 * MINUTE_MS);
    expect(await spent('two', START + 7 * MINUTE_MS)).toEqual({ byTaker: 0n, inAll: 0n });
  });

  it('keeps the limit when many spend at the same time', async () => {
    const others = kind === 'sqlite' ? [test.store] : [test.store, await test.reopen()];
    const ends = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        spend(`t${index % 3}`, 10n, START + index * 5_000, 100n, others[index % others.length]),
      ),
    );
    expect(ends.filter((admitted) => admitted)).toHaveLength(10);
    expect(await spent('t0', START)).toMatchObject({ inAll: 100n });
  });

  it('survives reopening the store, and is deleted from it after an hour', async () => {
    expect(await spend('one', 60n, START)).toBe(true);
    const store = await test.reopen();
    expect(await spent('one', START, store)).toEqual({ byTaker: 60n, inAll: 60n });
    expect(await spend('two', 41n, START + HOUR_MS - 1, 100n, store)).toBe(false);
    expect(await spent('two', START, store)).toEqual({ byTaker: 0n, inAll: 60n });
    const later = START + HOUR_MS + MINUTE_MS;
    expect(await spend('two', 41n, later, 100n, store)).toBe(true);
    expect(await spent('one', later, store)).toEqual({ byTaker: 0n, inAll: 41n });
    expect(await store.db.select().from(sponsored)).toHaveLength(2);
  });

  it('is counted for each sponsor separately', async () => {
    await spend('one', 60n, START);
    expect(
      await readSponsoredWithinHour(test.store.db, { sponsor: 'other', taker: 'one' }, at(START)),
    ).toEqual({
      byTaker: 0n,
      inAll: 0n,
    });
  });

  /** Spends with a limit of `most` in total. Returns whether the spending was admitted. */
  const spend = async (taker: string, lamports: bigint, now: number, most = 100n, store = test.store) => {
    const result = await spendSponsored(
      store,
      { sponsor: SPONSOR, taker },
      { lamports, clock: at(now) },
      ({ inAll }) => (inAll + lamports > most ? { inAll } : null),
    );
    if (!result.ok) expect(result.error.inAll + lamports).toBeGreaterThan(most);
    return result.ok;
  };
  const spent = (taker: string, now: number, store = test.store) =>
    readSponsoredWithinHour(store.db, { sponsor: SPONSOR, taker }, at(now));
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = 1_790_000_000_000;
const SPONSOR = 'sponsor';
const at = (now: number) => async () => now;
