import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import type { AccountUpdate } from '../../../chain/accounts.ts';
import { createUnaccountedWork, type Work, WorkRefused } from '../../../common/work/work.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import type { PositionFetcher } from '../../../protocol/positions/fetcher.ts';
import { PLATFORM_FETCHERS } from '../../../testing/protocols/platform-fetchers.ts';
import { TestView } from '../../../testing/protocols/wallet-view.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { toElementJson } from '../endpoints/elements-json.ts';
import { evaluateForTest } from '../../../testing/products/evaluated-portfolio.ts';
import type { ValuedElement } from '../valuation/valued.ts';
import type { PortfolioChanges } from './changes.ts';
import { type PortfolioEvent, PortfolioFollower } from './follow.ts';
import { openForEach } from '../../../testing/opened.ts';

const textOf = async (element: ValuedElement, work: Work) =>
  (await writeJsonInTurns(toElementJson(element), work)).toString();

const market = await openTestMarket('without programs');

/** A wallet that is followed, over accounts that the test changes. */
class World {
  readonly timers = new ManualTimers();
  readonly view = new TestView(market.genesis.accounts);
  readonly abort = new AbortController();
  readonly request = { owner: market.wallet, platforms: null, hideSpam: false };
  confirmed = 100n;
  evaluations = 0;
  /** How often work was begun, and whether there is no turn for it. */
  works = 0;
  isRefused = false;
  fetchers: readonly PositionFetcher[] = PLATFORM_FETCHERS;
  watched = new Set<Address>();
  #onChange: (updates: readonly AccountUpdate[]) => void = () => undefined;
  readonly follower = new PortfolioFollower({
    chain: {
      slot: (commitment) => (commitment === 'confirmed' ? this.confirmed : this.view.slot),
      watchAccounts: (addresses, onChange) => {
        this.watched = new Set(addresses);
        this.#onChange = onChange;
        return () => this.watched.clear();
      },
    },
    portfolios: {
      of: ({ owner }) => {
        this.evaluations++;
        return evaluateForTest(this.view, market.pools, owner, this.fetchers);
      },
    },
    timers: this.timers,
  });

  follow() {
    const { request, abort } = this;
    const beginWork = () => {
      this.works++;
      return this.isRefused
        ? { take: () => Promise.reject(new WorkRefused('no turn')) }
        : createUnaccountedWork();
    };
    return this.follower.follow({ request, textOf, beginWork, signal: abort.signal });
  }

  /** Gives the wallet another number of lamports, as of a slot that is not confirmed yet. */
  pay(lamports: bigint): void {
    this.view.slot++;
    this.view.set(market.wallet, SYSTEM_PROGRAM, new Uint8Array(0), lamports);
    this.#onChange([{ address: market.wallet, slot: this.view.slot, account: null }]);
  }

  /** Moves the time on until the promise is settled. */
  async until<T>(promise: Promise<T>, stepMs = 200): Promise<T> {
    let isSettled = false;
    void promise.finally(() => {
      isSettled = true;
    });
    for (let step = 0; step < 500 && !isSettled; step++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isSettled) this.timers.advance(stepMs);
    }
    return promise;
  }
}

const world = openForEach(() => new World());
const events = openForEach(() => world.follow());

describe('PortfolioFollower', () => {
  it('yields all positions, and then the element that changed, once its slot is confirmed', async () => {
    const { value: first } = await events.next();
    expect(first).toMatchObject({ kind: 'positions' });
    expect(world.watched).toContain(market.wallet);
    expect(world.watched.size).toBeLessThanOrEqual(100);
    world.pay(7_000_000_000n);
    const next = changes();
    for (let step = 0; step < 20; step++) {
      await new Promise((resolve) => setImmediate(resolve));
      world.timers.advance(200);
    }
    // The slot of the change is not confirmed.
    expect(world.evaluations).toBe(1);
    world.confirmed = world.view.slot;
    const { changed, removed, outcomes } = await next;
    expect(changed.map(({ key }) => key)).toEqual([
      `wallet-tokens-solana-native/wallet-tokens/multiple/Wallet`,
    ]);
    expect([removed, outcomes]).toEqual([[], []]);
  });

  it('looks again every ten seconds at a wallet that nothing happens to, and says nothing', async () => {
    world.confirmed = world.view.slot;
    await events.next();
    const next = events.next();
    for (let step = 0; step < 300; step++) {
      await new Promise((resolve) => setImmediate(resolve));
      world.timers.advance(200);
    }
    // A minute has passed. One look follows the watch, because a change before it was not notified.
    expect(world.evaluations).toBeGreaterThanOrEqual(5);
    expect(world.evaluations).toBeLessThanOrEqual(8);
    world.abort.abort();
    expect((await world.until(next)).done).toBe(true);
  });

  it('names what is gone, and keeps what could not be read', async () => {
    world.confirmed = 1_000n;
    await events.next();
    const [first, ...rest] = PLATFORM_FETCHERS.slice(1);
    if (first === undefined) throw new Error('there are no fetchers');
    world.fetchers = [
      { ...PLATFORM_FETCHERS[0], fetch: async () => ({ elements: [] }) } as PositionFetcher,
      {
        ...first,
        fetch: async () => {
          throw new LayoutInvalid('it cannot be read');
        },
      },
      ...rest,
    ];
    world.pay(7_000_000_000n);
    const { removed, outcomes, changed } = await changes();
    expect(removed).toEqual(['wallet-tokens-solana/wallet-tokens/multiple/Wallet']);
    expect(outcomes.map(({ fetcher, error }) => [fetcher.id, error])).toEqual([
      [first.id, 'it cannot be read'],
    ]);
    expect(changed).toEqual([]);
    world.fetchers = PLATFORM_FETCHERS;
    world.pay(500_000_000_000n);
    const back = await changes();
    expect(back.changed.map(({ element }) => element.fetcherId)).toContain('wallet-tokens-solana');
    expect(back.outcomes.map(({ error }) => error)).toEqual([null]);
  });

  it('begins work for each event, and looks again at changes for which there was no turn', async () => {
    world.confirmed = 1_000n;
    await events.next();
    expect(world.works).toBe(1);
    world.isRefused = true;
    world.pay(7_000_000_000n);
    const next = changes();
    while (world.evaluations < 3) {
      await new Promise((resolve) => setImmediate(resolve));
      world.timers.advance(200);
    }
    expect(world.works).toBe(world.evaluations);
    world.isRefused = false;
    const { changed } = await next;
    expect(changed.map(({ element }) => element.fetcherId)).toEqual(['wallet-tokens-solana-native']);
  });

  it('watches a bounded number of accounts in all, and none when a stream has ended', async () => {
    const all = Array.from({ length: 60 }, () => world.follow());
    for (const each of all) await each.next();
    expect(world.follower.watchedAccounts).toBeLessThanOrEqual(5_000);
    for (const each of all) await each.return(undefined);
    expect(world.follower.watchedAccounts).toBe(0);
  });
});

async function changes(): Promise<PortfolioChanges> {
  const { value } = (await world.until(events.next())) as IteratorResult<PortfolioEvent, undefined>;
  if (value?.kind !== 'changes') throw new Error(`expected changes, got ${value?.kind}`);
  return value.changes;
}
