import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlainPrice } from '../../market-data/market-data.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { startSuite } from '../../testing/random.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { MEDIAN_SLOTS } from './price-history.ts';
import { ReferencePrices } from './reference-prices.ts';

let world: World;
beforeEach(() => {
  world = new World(1);
});
afterEach(() => world.references.close());

describe('ReferencePrices', () => {
  it('has a price held once it was there for a whole slot, without a break', () => {
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(3);
    expect(world.held()).toEqual({ low: 100, high: 100 });
    world.set(110);
    expect(world.held()).toEqual({ low: 100, high: 110 });
    world.pass(1);
    expect(world.held()).toEqual({ low: 100, high: 110 });
    world.pass(1);
    expect(world.held()).toEqual({ low: 110, high: 110 });
  });

  it('does not take a price as held that is moved at the end of each slot and back at the beginning of the next', () => {
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(3);
    for (let slot = 0; slot < 20; slot++) {
      world.set(130);
      world.pass(1);
      expect(world.held()?.low).toBe(100);
      world.set(100);
    }
    expect(world.ticks.every(({ held }) => held === 100)).toBe(true);
  });

  it('holds a price for as many slots as the setting says', () => {
    world.references.close();
    world = new World(4);
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(5);
    expect(world.held()).toBeNull();
    world.pass(1);
    expect(world.held()).toEqual({ low: 100, high: 100 });
    world.set(90);
    world.pass(4);
    expect(world.held()?.high).toBe(100);
    world.pass(1);
    expect(world.held()?.high).toBe(90);
  });

  it('calls its listeners in each slot until a changed price is held, and not while nothing changes', () => {
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(10);
    world.ticks.length = 0;
    world.set(110);
    world.pass(10);
    expect(world.ticks).toEqual([
      { slot: 11n, price: 110, held: 100 },
      { slot: 12n, price: 110, held: 110 },
    ]);
    world.references.unfollow(TOKEN);
    world.set(120);
    world.pass(10);
    expect(world.ticks).toHaveLength(2);
    expect(world.held()).toBeNull();
  });

  it('has nothing held while the network is not healthy, and holds all prices again afterwards', () => {
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(20);
    world.unhealthy = 'behind';
    expect([world.held(), world.references.median(TOKEN), world.references.price(TOKEN)]).toEqual([
      null,
      null,
      null,
    ]);
    world.pass(5);
    world.ticks.length = 0;
    world.unhealthy = null;
    world.pass(1);
    expect([world.held(), world.references.price(TOKEN)]).toEqual([null, 100]);
    world.pass(3);
    expect(world.held()).toEqual({ low: 100, high: 100 });
    expect(world.ticks.at(-1)).toEqual({ slot: 28n, price: 100, held: 100 });
    expect(world.references.median(TOKEN)).toBeNull();
    world.pass(MEDIAN_SLOTS);
    expect(world.references.median(TOKEN)).toBe(100);
  });

  it('begins again when the slots of the network do, and not when one of its nodes lags for a moment', () => {
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(20);
    world.slot -= 5;
    world.timers.advance(100);
    expect(world.held()).toEqual({ low: 100, high: 100 });
    world.slot += 5;
    world.pass(1);
    expect(world.held()).toEqual({ low: 100, high: 100 });
    world.slot = 2;
    world.timers.advance(100);
    world.timers.advance(2_000);
    expect(world.held()).toBeNull();
    world.pass(3);
    expect(world.held()).toEqual({ low: 100, high: 100 });
  });

  it('notices when a token gets a price, or loses it', () => {
    world.set(null);
    world.references.follow(TOKEN);
    world.pass(40);
    expect([world.held(), world.references.median(TOKEN)]).toEqual([null, null]);
    // Nobody tells that the decimals of a mint have become known.
    world.setSilently(5);
    world.pass(16 + 3);
    expect(world.ticks.at(-1)).toMatchObject({ price: 5, held: 5 });
    world.set(null);
    world.set(5);
    expect(world.held()).toBeNull();
  });

  it('follows a token as long as somebody does, and tells a listener that fails', () => {
    world.references.onTick(() => {
      throw new Error('a listener');
    });
    world.set(100);
    for (let uses = 0; uses < 2; uses++) world.references.follow(TOKEN);
    world.references.unfollow(TOKEN);
    world.pass(3);
    expect(world.held()).not.toBeNull();
    expect(world.defects).toEqual(['Error: a listener']);
    world.references.unfollow(TOKEN);
    expect([world.references.size, world.watchers.size]).toEqual([0, 0]);
  });

  it('has a median that prices at the ends of the slots do not move, if the price was another one in between', () => {
    world.set(100);
    world.references.follow(TOKEN);
    world.pass(MEDIAN_SLOTS + 1);
    for (let slot = 0; slot < 2 * MEDIAN_SLOTS; slot++) {
      world.set(50);
      // Now and then a slot is not seen.
      world.pass(1, slot % 5 === 0 ? 2 : 1);
      expect(world.references.median(TOKEN)).toBe(100);
      world.set(100);
    }
    world.pass(MEDIAN_SLOTS);
    world.set(50);
    world.pass(1 + Math.floor(MEDIAN_SLOTS / 2));
    expect(world.references.median(TOKEN)).toBe(100);
    world.pass(1);
    expect(world.references.median(TOKEN)).toBe(50);
  });

  it('has as median what a list of the prices of all slots has', () => {
    const { count, seeds } = startSuite({ cases: 3_000, seed: 36 });
    for (const seed of seeds) {
      let random = seed;
      const draw = (below: number) => {
        random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
        return (random >>> 8) % below;
      };
      world.set(50);
      world.references.follow(TOKEN);
      const counted: number[] = [];
      for (let step = 0; step < count; step++) {
        const known = counted.slice(-MEDIAN_SLOTS).sort((one, other) => one - other);
        const median = known.length < MEDIAN_SLOTS ? null : (known[(MEDIAN_SLOTS - 1) / 2] ?? null);
        expect(world.references.median(TOKEN)).toBe(median);
        const seen = [world.now];
        for (let change = draw(5) - 2; change > 0; change--) {
          world.set(40 + draw(20));
          seen.push(world.now);
        }
        // Of the slots that pass at once, only the first can have changes.
        const passed = draw(6) === 0 ? 1 + draw(20) : 1;
        counted.push(Math.max(Math.min(...seen), Math.min(Math.max(...seen), median ?? seen[0] ?? 0)));
        for (let slot = 1; slot < passed; slot++) counted.push(world.now);
        world.pass(1, passed);
      }
      world.references.unfollow(TOKEN);
    }
  });
});

const TOKEN: Address = toAddress(new Uint8Array(32).fill(7));
/** Longer than the pause between two looks at the slot. */
const LOOK_MS = 20;

interface SeenTick {
  readonly slot: bigint;
  readonly price: number;
  /** The lowest price that was held. */
  readonly held: number;
}

/** A token whose price a test sets, and slots that it lets pass. */
class World {
  readonly timers = new ManualTimers();
  readonly watchers = new Set<() => void>();
  readonly ticks: SeenTick[] = [];
  readonly defects: string[] = [];
  readonly references: ReferencePrices;
  slot = 0;
  unhealthy: string | null = null;
  #price: number | null = null;

  constructor(holdSlots: number) {
    this.references = new ReferencePrices({
      chain: { slot: () => BigInt(this.slot), unhealthy: () => this.unhealthy },
      marketData: {
        watch: (_mints, onChange) => {
          const tell = () => onChange(TOKEN, null);
          this.watchers.add(tell);
          return () => this.watchers.delete(tell);
        },
        plainPrice: () => this.#plainPrice(),
      },
      holdSlots,
      timers: this.timers,
      onDefect: (_where, error) => this.defects.push(String(error)),
    });
    this.references.onTick((_mint, price, slot) =>
      this.ticks.push({ slot, price, held: this.held()?.low ?? Number.NaN }),
    );
  }

  get now(): number {
    return this.#price ?? Number.NaN;
  }

  held() {
    return this.references.held(TOKEN);
  }

  set(dollars: number | null): void {
    this.#price = dollars;
    for (const tell of this.watchers) tell();
    this.timers.advance(0);
  }

  setSilently(dollars: number): void {
    this.#price = dollars;
  }

  /** @param by - Slots that pass at once. */
  pass(times: number, by = 1): void {
    for (let left = times; left > 0; left--) {
      this.slot += by;
      this.timers.advance(LOOK_MS);
      this.timers.advance(0);
    }
  }

  #plainPrice(): PlainPrice | null {
    const price = this.#price;
    return price === null ? null : { usdPrice: price, dollarsPerAtom: price / 1e6, decimals: 6 };
  }
}
