import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../testing/timers.ts';
import type { PoolHandle } from '../market/pools/liquidity.ts';
import { type Address, toAddress } from '../solana/address.ts';
import type { Store } from '../store/index.ts';
import { openTestStore, STORES } from '../testing/store/test-store.ts';
import { PoolSightings } from './pool-sightings.ts';
import { openForEach } from '../testing/opened.ts';

describe.each(STORES)('PoolSightings on %s', (kind) => {
  let clock: { now: number; slot: bigint };
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');
  beforeEach(setUp);

  it('has the times of pools that appeared while it ran, and of no others, also after a restart', async () => {
    const before = await open([OLD]);
    for (const [address, seconds] of [
      [NEW, 10],
      [OLD, 10],
      [BROKEN, 10],
      [NEWER, 10],
      [NEW, 10],
    ] as const) {
      clock.now += seconds;
      clock.slot += 25n;
      before.pools.change(address);
    }
    const times = [null, null, 1_800_000_010, 1_800_000_040];
    const timesOf = (sightings: PoolSightings) =>
      [OLD, BROKEN, NEW, NEWER].map((address) => sightings.of(address));
    expect(timesOf(before.sightings)).toEqual(times);
    await before.sightings.close();

    clock.now += 3_600;
    // One of the new pools is listed only after the start.
    const reopened = await tested.reopen();
    const after = await open([OLD, NEW], reopened);
    after.pools.change(NEWER);
    expect(timesOf(after.sightings)).toEqual(times);
    const elsewhere = await open([OLD, NEW], reopened, 'another network');
    expect(elsewhere.sightings.of(NEW)).toBeNull();
    for (const each of [after, elsewhere]) await each.sightings.close();
  });

  it('forgets what a network that was founded again has not seen yet', async () => {
    const before = await open([]);
    before.pools.change(NEW);
    await before.sightings.close();
    clock.slot = 50n;
    const after = await open([NEW], await tested.reopen());
    expect(after.sightings.of(NEW)).toBeNull();
    await after.sightings.close();
  });

  it('keeps the time of the first of several instances, and writes at once with them', async () => {
    const stores =
      kind === 'postgresql' ? [tested.store, await tested.reopen()] : [tested.store, tested.store];
    const [one, other] = await Promise.all(stores.map((store) => open([], store)));
    if (one === undefined || other === undefined) throw new Error('two instances were opened');
    one.pools.change(NEW);
    await one.sightings.flush();
    clock.now += 5;
    other.pools.change(NEW);
    // More than one statement each, in opposite orders.
    const many = Array.from({ length: 1_200 }, (_, index) => pool(100 + index));
    for (const address of many) one.pools.change(address);
    for (const address of many.toReversed()) other.pools.change(address);
    await Promise.all([one, other].map(({ sightings }) => sightings.close()));
    const later = await open([NEW, ...many], await tested.reopen());
    expect(later.sightings.of(NEW)).toBe(1_800_000_000);
    expect(many.filter((address) => later.sightings.of(address) !== 1_800_000_005)).toEqual([]);
    await later.sightings.close();
  });

  function setUp(): void {
    clock = { now: 1_800_000_000, slot: 100n };
  }

  async function open(usable: readonly Address[], store: Store = tested.store, network = 'a network') {
    const pools = new TestPools(usable);
    const sightings = await PoolSightings.open({
      store,
      network,
      pools,
      now: () => clock.now,
      slot: () => clock.slot,
      timers: new ManualTimers(),
      onDefect: (error) => {
        throw error;
      },
    });
    return { pools, sightings };
  }
});

const pool = (number: number): Address => {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, number);
  return toAddress(bytes);
};
const [OLD, BROKEN, NEW, NEWER] = [pool(1), pool(2), pool(3), pool(4)];
const handleOf = (address: Address) => ({ pool: { address } }) as PoolHandle;

/** The pools that an instance follows. */
class TestPools {
  readonly #usable: Address[];
  readonly #listeners = new Set<(handle: PoolHandle) => void>();

  constructor(usable: readonly Address[]) {
    this.#usable = [...usable];
  }

  all = () => this.#usable.map(handleOf);
  unusable = () => [{ address: BROKEN, venue: 'Whirlpool', reason: 'it is paused' }];
  onChange = (listener: (handle: PoolHandle) => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(address: Address): void {
    if (!this.#usable.includes(address)) this.#usable.push(address);
    for (const listener of this.#listeners) listener(handleOf(address));
  }
}
