import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import type { Party } from '../../../common/party.ts';
import { createUnaccountedWork } from '../../../common/work/work.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { openTestStore, STORES } from '../../../testing/store/test-store.ts';
import { history } from '../endpoints/history.ts';
import type { PortfolioServices } from '../endpoints/services.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import { HourlyValues } from './hourly-values.ts';
import { HOUR_MS, MAX_WALLETS, MAX_WALLETS_OF_FOLLOWER, ValueStore } from './value-store.ts';
import { openForEach } from '../../../testing/opened.ts';

describe.each(STORES)('the history of values over %s', (kind) => {
  let evaluated: Address[];
  let answer: () => Portfolio;
  const opened = openForEach(() => openTestStore(kind), 'cleanUp');
  const values = openForEach(() => new ValueStore(opened.store, 'network'));
  const timers = openForEach(() => new ManualTimers());
  beforeEach(setUp);

  it('has a value for every hour since a wallet was asked for, and none for others', async () => {
    const hours = writer();
    expect(await values.follow(ALICE, 'acme', timers.now())).toBe('followed');
    await hours.pass();
    await hours.pass();
    expect(await values.values(ALICE, timers.now())).toEqual([{ hour: hourNow(), value: 3.5 }]);
    timers.advance(HOUR_MS);
    answer = () => portfolioOf([10]);
    await hours.pass();
    expect((await values.values(ALICE, timers.now())).map(({ value }) => value)).toEqual([3.5, 10]);
    expect(evaluated).toEqual([ALICE, ALICE]);
    expect(await values.values(walletOf(1), timers.now())).toEqual([]);
    await hours.close();
  });

  it('writes each hour once, however many instances share the database', async () => {
    for (let index = 0; index < 10; index++)
      await values.follow(walletOf(index), 'acme', timers.now() + index);
    const [one, other] = [writer(), writer(new ValueStore(opened.store, 'network'))];
    await Promise.all([one.pass(), other.pass()]);
    expect([...evaluated].sort()).toEqual(Array.from({ length: 10 }, (_, index) => walletOf(index)).sort());
    await Promise.all([one.close(), other.close()]);
  });

  it('records no sum that lacks a position, and tries again', async () => {
    const hours = writer();
    await values.follow(ALICE, 'acme', timers.now());
    answer = () => portfolioOf([5], 'it timed out');
    await hours.pass();
    answer = () => {
      throw new Unavailable('the network does not answer');
    };
    await hours.pass();
    expect(await values.values(ALICE, timers.now())).toEqual([]);
    answer = () => portfolioOf([5]);
    await hours.pass();
    expect(await values.values(ALICE, timers.now())).toEqual([{ hour: hourNow(), value: 5 }]);
    await hours.close();
  });

  it('records a sum that leaves out what every hour leaves out', async () => {
    const hours = writer();
    await values.follow(ALICE, 'acme', timers.now());
    answer = () => portfolioOf([5], 'not searched', true);
    await hours.pass();
    expect(await values.values(ALICE, timers.now())).toEqual([{ hour: hourNow(), value: 5 }]);
    await hours.close();
  });

  it('follows a bounded number of wallets for each follower, and in all', async () => {
    for (let index = 0; index < MAX_WALLETS_OF_FOLLOWER; index++) {
      expect(await values.follow(walletOf(index), 'acme', timers.now())).toBe('followed');
    }
    expect(await values.follow(walletOf(MAX_WALLETS_OF_FOLLOWER), 'acme', timers.now())).toBe(
      'follower-is-full',
    );
    expect(await values.follow(ALICE, 'acme', timers.now())).toBe('followed');
    // A wallet that another follower asked for costs this one nothing.
    expect(await values.follow(walletOf(MAX_WALLETS_OF_FOLLOWER), 'other', timers.now())).toBe('followed');
    expect(await values.follow(walletOf(MAX_WALLETS_OF_FOLLOWER), 'acme', timers.now())).toBe('followed');
    expect(MAX_WALLETS).toBeGreaterThan(MAX_WALLETS_OF_FOLLOWER);
  });

  it('holds the share also against requests that arrive at the same time, at two instances', async () => {
    const [asked, free] = [10, 2];
    for (let index = 0; index < MAX_WALLETS_OF_FOLLOWER - free; index++)
      await values.follow(walletOf(index), 'acme', timers.now());
    const second = kind === 'sqlite' ? values : new ValueStore(await opened.reopen(), 'network');
    const outcomes = await Promise.all(
      Array.from({ length: asked }, (_, index) =>
        (index % 2 === 0 ? values : second).follow(walletOf(1_000 + index), 'acme', timers.now()),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'followed')).toHaveLength(free);
    expect(outcomes.filter((outcome) => outcome === 'follower-is-full')).toHaveLength(asked - free);
  });

  it('counts all keys of an organisation together, and starts nothing for a caller without a key', async () => {
    const services = { values, now: () => timers.now() } as unknown as PortfolioServices;
    const ask = async (index: number, caller: Party, key: string) => {
      const answer = await history.handle(services, {
        id: 'request',
        query: {},
        params: { address: walletOf(index) },
        body: null,
        headers: { 'x-api-key': key },
        caller,
        work: createUnaccountedWork(),
        beginWork: createUnaccountedWork,
      });
      return JSON.parse(String(answer));
    };
    const [acme, other] = [organisation('acme'), organisation('other')];
    for (let index = 0; index < MAX_WALLETS_OF_FOLLOWER; index++) await ask(index, acme, `key-${index % 7}`);
    await expect(ask(MAX_WALLETS_OF_FOLLOWER, acme, 'another-key')).rejects.toThrow(
      /this organisation follows 100 wallets already/,
    );
    expect(await ask(MAX_WALLETS_OF_FOLLOWER, { kind: 'client', id: '203.0.113.7' }, '')).toMatchObject({
      since: null,
    });
    expect(await ask(MAX_WALLETS_OF_FOLLOWER, other, 'key')).toMatchObject({ since: timers.now() });
  });

  it('forgets wallets that nobody asks for, and values that are old', async () => {
    const hours = writer();
    await values.follow(ALICE, 'acme', timers.now());
    await values.follow(walletOf(1), 'acme', timers.now());
    await hours.pass();
    timers.advance(29 * DAY);
    await values.follow(ALICE, 'other', timers.now());
    timers.advance(2 * DAY);
    await hours.pass();
    expect(await values.since(walletOf(1))).toBeNull();
    expect(await values.since(ALICE)).not.toBeNull();
    expect(await values.values(ALICE, timers.now())).toEqual([{ hour: hourNow(), value: 3.5 }]);
    await hours.close();
  });

  it('knows nothing of another network', async () => {
    await values.follow(ALICE, 'acme', timers.now());
    const other = new ValueStore(opened.store, 'another');
    expect(await other.since(ALICE)).toBeNull();
    expect(await other.unvalued(hourNow(), 10)).toEqual([]);
  });

  function setUp(): void {
    evaluated = [];
    answer = () => portfolioOf([1.5, null, 2]);
  }

  const writer = (store = values) =>
    new HourlyValues({
      store,
      // The tests say when a pass begins.
      timers: { now: () => timers.now(), after: () => () => undefined },
      portfolios: {
        of: async ({ owner }) => {
          evaluated.push(owner);
          return answer();
        },
      },
      onDefect: (error) => {
        throw error;
      },
    });
  const hourNow = () => Math.floor(timers.now() / HOUR_MS) * HOUR_MS;
});

const walletOf = (index: number): Address => {
  const bytes = new Uint8Array(32).fill(5);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
};
const ALICE = walletOf(0);
const organisation = (id: string): Party => ({ kind: 'organisation', id });
const DAY = 24 * HOUR_MS;

/** What an evaluation of a wallet says. */
function portfolioOf(
  values: readonly (number | null)[],
  error: string | null = null,
  isLeftOut = false,
): Portfolio {
  return {
    outcomes: [{ error, isLeftOut }],
    elements: values.map((value) => ({ value })),
  } as unknown as Portfolio;
}
