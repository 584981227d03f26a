import { describe, expect, it } from 'vitest';
import type { Store } from '../../store/index.ts';
import { StoreClock } from './store-clock.ts';

describe('StoreClock', () => {
  it('counts on from the time of the store, and asks it again after a second', async () => {
    const world = createWorld();
    expect(await world.clock.now()).toBe(1_000_000);
    world.pass(999.5);
    expect(await world.clock.now()).toBe(1_000_999);
    expect(world.asked()).toBe(1);
    world.pass(0.5);
    // Meanwhile the time of the store was set.
    world.setStore(5);
    expect(await world.clock.now()).toBe(5);
    expect(world.asked()).toBe(2);
  });

  it('asks the store once for calls that come together', async () => {
    const world = createWorld();
    expect(await Promise.all([world.clock.now(), world.clock.now()])).toEqual([1_000_000, 1_000_000]);
    expect(world.asked()).toBe(1);
  });

  it('asks the store again when the system was suspended, or its time was set', async () => {
    const world = createWorld();
    await world.clock.now();
    world.jump(60_000);
    expect(await world.clock.now()).toBe(1_060_000);
    world.jump(-60_000);
    expect(await world.clock.now()).toBe(1_000_000);
    expect(world.asked()).toBe(3);
  });

  it('is ahead of the store as far as the network is, at once', async () => {
    const world = createWorld();
    world.setNetworkAhead(3_600_000);
    expect(await world.clock.now()).toBe(4_600_000);
    world.pass(10);
    expect(await world.clock.now()).toBe(4_600_010);
    world.setNetworkAhead(0);
    expect(await world.clock.now()).toBe(1_000_010);
    expect(world.asked()).toBe(1);
  });

  it('throws what the store throws, and asks it the next time', async () => {
    const world = createWorld();
    world.setStore(null);
    await expect(world.clock.now()).rejects.toThrow('no answer');
    world.setStore(7);
    expect(await world.clock.now()).toBe(7);
  });
});

function createWorld() {
  let [wall, monotonic, count, networkAhead] = [500_000, 10, 0, 0];
  /** What the store's clock is ahead of the wall clock; null while the store does not answer. */
  let ahead: number | null = 500_000;
  const now = async () => {
    count += 1;
    if (ahead === null) throw new Error('no answer');
    return Math.floor(wall + ahead);
  };
  const store = { now } as unknown as Store;
  return {
    clock: new StoreClock({
      store,
      aheadMs: () => networkAhead,
      clocks: { wall: () => wall, monotonic: () => monotonic },
    }),
    asked: () => count,
    pass: (ms: number) => {
      wall += ms;
      monotonic += ms;
    },
    jump: (ms: number) => {
      wall += ms;
    },
    setNetworkAhead: (ms: number) => {
      networkAhead = ms;
    },
    setStore: (time: number | null) => {
      ahead = time === null ? null : time - wall;
    },
  };
}
