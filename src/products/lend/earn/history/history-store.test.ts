import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../../testing/random.ts';
import { type Address, address, toAddress } from '../../../../solana/address.ts';
import { openTestStore, STORES } from '../../../../testing/store/test-store.ts';
import { earnHistories } from './earn-tables.ts';
import {
  type FollowedPeriod,
  HistoryStore,
  MAX_ACCOUNTS,
  MAX_ACCOUNTS_OF_FOLLOWER,
  type RecordedTransaction,
} from './history-store.ts';
import { openForEach } from '../../../../testing/opened.ts';

describe.each(STORES)('HistoryStore on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');
  const history = openForEach(() => new HistoryStore(tested.store, 'a network'));

  it('begins once, and keeps what the first instance wrote', async () => {
    expect(await history.find(LENDING)).toBeNull();
    const first = {
      startedAt: 5,
      startPrice: 1_000_000_000_001n,
      startSlot: 0n,
      cursor: null,
      cursorSlot: 0n,
      knownSlot: 0n,
    };
    await history.begin(LENDING, first, null);
    await history.begin(
      LENDING,
      {
        startedAt: 9,
        startPrice: 2n,
        startSlot: 7n,
        cursor: 'x',
        cursorSlot: 7n,
        knownSlot: 7n,
      },
      null,
    );
    expect(await history.find(LENDING)).toEqual(first);
  });

  describe('of single accounts', () => {
    it('has a share for each follower, also when requests arrive at the same time', async () => {
      await fill(0, MAX_ACCOUNTS_OF_FOLLOWER - 2, () => 'acme');
      const outcomes = await Promise.all([1, 2, 3, 4, 5].map((index) => begin(5_000 + index, 'acme')));
      expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(2);
      expect(await begin(6_000, 'acme')).toBe('follower-is-full');
      expect(await history.find(accountOf(6_000))).toBeNull();
      expect(await begin(6_000, 'other')).toBe('begun');
      expect(await history.begin(LENDING, BEGINNING, null)).toBe('begun');
    });

    it('is bounded in all', async () => {
      const columns =
        'network, address, started_at, start_price, cursor_slot, start_slot, known_slot, follower, asked_at';
      await tested.store.db.execute(
        sql.raw(`insert into earn_histories (${columns})
          with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MAX_ACCOUNTS})
          select 'a network', 'account ' || i, 5, '1', 0, 0, 0, 'follower ' || (i % 21), ${NOW} from n`),
      );
      expect(await begin(MAX_ACCOUNTS, 'another')).toBe('all-full');
    });

    it('gives up accounts that nobody asked for in 30 days, once their places are needed', async () => {
      await fill(0, MAX_ACCOUNTS_OF_FOLLOWER, () => 'acme');
      await history.find(accountOf(3), NOW + 20 * DAY);
      expect(await begin(5_000, 'acme', NOW + 30 * DAY)).toBe('follower-is-full');
      expect(await begin(5_000, 'acme', NOW + 31 * DAY)).toBe('begun');
      expect(await history.find(accountOf(2))).toBeNull();
      expect(await history.find(accountOf(3))).toEqual(BEGINNING);
    });

    const DAY = 24 * 3_600_000;
    const NOW = 100 * DAY;
    const accountOf = (index: number): Address => {
      const bytes = new Uint8Array(32).fill(5);
      new DataView(bytes.buffer).setUint32(0, index);
      return toAddress(bytes);
    };
    const begin = (index: number, follower: string, now = NOW) =>
      history.begin(accountOf(index), BEGINNING, { follower, now });

    /** Writes rows as they are after so many accounts were asked for. */
    async function fill(from: number, accounts: number, follower: (index: number) => string): Promise<void> {
      const slots = { cursor: null, cursorSlot: 0, startSlot: 0, knownSlot: 0 };
      const row = { network: 'a network', startedAt: 5, startPrice: '1', ...slots, askedAt: NOW };
      for (let at = from; at < from + accounts; at += 1_000) {
        const length = Math.min(1_000, from + accounts - at);
        const rows = Array.from({ length }, (_, index) => ({
          ...row,
          address: accountOf(at + index),
          follower: follower(at + index),
        }));
        await tested.store.db.insert(earnHistories).values(rows);
      }
    }
  });

  it('counts a transaction once, however often it is recorded, and never moves the cursor back', async () => {
    await history.begin(LENDING, BEGINNING, null);
    const [one, two] = [transaction(10n, [100n, 90n], [-30n, 27n]), transaction(12n, [U64_MAX, U64_MAX])];
    await history.record(LENDING, [one, two]);
    await history.record(LENDING, [one]);
    expect(await history.find(LENDING)).toMatchObject({ cursor: 'signature 12', cursorSlot: 12n });
    expect(await history.totals(OWNER, RECEIPT, upTo(11n))).toEqual({
      deposited: 100n,
      withdrawn: 30n,
      minted: 90n,
      burned: 27n,
    });
    expect((await history.totals(OWNER, RECEIPT, upTo(12n))).deposited).toBe(100n + U64_MAX);
    expect((await history.totals(LENDING, RECEIPT, upTo(12n))).deposited).toBe(0n);
  });

  it('counts nothing of before the start, and nothing of an instance that is behind', async () => {
    await history.begin(LENDING, BEGINNING, null);
    await history.record(LENDING, [transaction(10n, [100n, 90n])]);
    const again = {
      ...BEGINNING,
      startedAt: 8,
      startPrice: 3n,
      startSlot: 20n,
      cursor: 'y',
      cursorSlot: 20n,
      knownSlot: 20n,
    };
    await history.restart(LENDING, again);
    // Another instance has still been reading what was before.
    await history.record(LENDING, [transaction(15n, [7n, 6n])]);
    expect(await history.find(LENDING)).toEqual(again);
    expect((await history.totals(OWNER, RECEIPT, upTo(99n))).deposited).toBe(100n);
    await history.record(LENDING, [transaction(21n, [5n, 4n])]);
    const since = { after: 20n, upTo: 99n, settledBefore: 0n };
    expect(await history.totals(OWNER, RECEIPT, since)).toMatchObject({ deposited: 5n, minted: 4n });
  });

  it('adds up many movements as a sum over all of them does, in any range', async () => {
    await history.begin(LENDING, BEGINNING, null);
    const random = sampleCases(
      fc.record({ step: fc.constantFrom(0, 0, 1, 5), assets: fc.bigInt(-U64_MAX, U64_MAX) }),
      { cases: 3_000, short: 600, seed: SEED, against: 'a sum over all of them' },
    );
    let slot = 1n;
    const recorded = random.map(({ step, assets }, order) => {
      slot += BigInt(step);
      return { ...transaction(slot, [assets || 1n, 3n]), signature: `signature ${order}` };
    });
    let done = 0;
    const sumOf = (after: bigint, end: bigint) =>
      recorded
        .slice(0, done)
        .filter((each) => each.slot > after && each.slot <= end)
        .flatMap(({ movements }) => movements)
        .reduce((sum, { kind, assets }) => sum + (kind === 'deposit' ? assets : 0n), 0n);
    const part = (of3000: number) => Math.floor((random.length * of3000) / 3_000);
    for (const upTo of [
      part(400),
      part(400) + 1,
      part(900),
      part(2_500),
      part(2_600),
      part(2_990),
      random.length,
    ]) {
      await history.record(LENDING, recorded.slice(done, upTo));
      done = upTo;
      const { cursorSlot = 0n } = (await history.find(LENDING)) ?? {};
      for (const end of [cursorSlot, cursorSlot - 3n, cursorSlot / 2n]) {
        const { deposited } = await history.totals(OWNER, RECEIPT, {
          after: 0n,
          upTo: end,
          settledBefore: cursorSlot,
        });
        expect(deposited).toBe(sumOf(0n, end));
      }
    }
    const later = await history.totals(OWNER, RECEIPT, {
      after: BigInt(part(700)),
      upTo: slot,
      settledBefore: slot,
    });
    expect(later.deposited).toBe(sumOf(BigInt(part(700)), slot));
  });

  it('adds up so many movements in one request, and goes on with the next', async () => {
    const count = 20_500;
    await tested.store.db.execute(
      sql.raw(`insert into earn_movements
        (network, signature, place, owner, receipt_mint, kind, assets, shares, slot)
        with recursive numbers(number) as (
          select 1 union all select number + 1 from numbers where number < ${count})
        select 'a network', 'signature ' || number, 0, '${OWNER}', '${RECEIPT}', 'deposit', '2', '1', number
        from numbers`),
    );
    const range = { after: 0n, upTo: BigInt(count), settledBefore: BigInt(count) };
    await expect(history.totals(OWNER, RECEIPT, range)).rejects.toThrow('more than 20000 movements');
    const totals = { deposited: 2n * BigInt(count), withdrawn: 0n, minted: BigInt(count), burned: 0n };
    expect(await history.totals(OWNER, RECEIPT, range)).toEqual(totals);
    expect(await history.totals(OWNER, RECEIPT, range)).toEqual(totals);
    expect((await history.totals(OWNER, RECEIPT, { ...range, upTo: 30n })).minted).toBe(30n);
  });

  it('survives a restart, and is forgotten with its own network only', async () => {
    const other = new HistoryStore(tested.store, 'another network');
    for (const each of [history, other]) {
      await each.begin(LENDING, BEGINNING, null);
      await each.record(LENDING, [transaction(10n, [100n, 90n])]);
    }
    const store = await tested.reopen();
    const [again, elsewhere] = [
      new HistoryStore(store, 'a network'),
      new HistoryStore(store, 'another network'),
    ];
    expect(await again.find(LENDING)).toMatchObject({ cursorSlot: 10n });
    await again.forget();
    expect(await again.find(LENDING)).toBeNull();
    expect((await again.totals(OWNER, RECEIPT, upTo(99n))).deposited).toBe(0n);
    expect((await elsewhere.totals(OWNER, RECEIPT, upTo(99n))).deposited).toBe(100n);
  });
});

const LENDING = address('2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ');
const OWNER = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const RECEIPT = address('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');
const SEED = 20_261_127;
const U64_MAX = (1n << 64n) - 1n;
const BEGINNING: FollowedPeriod = {
  startedAt: 5,
  startPrice: 1n,
  startSlot: 0n,
  cursor: null,
  cursorSlot: 0n,
  knownSlot: 0n,
};

const upTo = (slot: bigint) => ({ after: 0n, upTo: slot, settledBefore: 0n });

function transaction(slot: bigint, ...movements: (readonly [bigint, bigint])[]): RecordedTransaction {
  return {
    signature: `signature ${slot}`,
    slot,
    movements: movements.map(([assets, shares]) => ({
      kind: assets > 0n ? 'deposit' : 'withdrawal',
      owner: OWNER,
      mint: MINT,
      receiptMint: RECEIPT,
      assets: assets > 0n ? assets : -assets,
      shares,
    })),
  };
}
