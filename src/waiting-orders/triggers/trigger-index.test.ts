import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { assertProperty } from '../../testing/random.ts';
import { type HeldPrice, type IndexedOrder, TriggerIndex } from './trigger-index.ts';

describe('TriggerIndex', () => {
  it('offers what a plain list of the orders offers, whatever is added, removed, put off and woken', () => {
    const actions = fc.array(fc.oneof(ADD, ADD, ADD_ROUND, REMOVE, PUT_OFF, WAKE, REACHED, TAKE_ROUND), {
      maxLength: 120,
    });
    assertProperty(
      fc.property(actions, fc.integer(), (each, seed) => {
        const both = new IndexAndList(seed);
        for (const action of each) both.apply(action);
        both.compare();
      }),
      { cases: 3_000, seed: 36 },
    );
  });

  it('offers every order that stays triggered exactly once while others come and go in between', () => {
    const between = fc.array(fc.oneof(ADD, ADD_ROUND, REMOVE, PUT_OFF, WAKE), { maxLength: 3 });
    assertProperty(
      fc.property(
        fc.array(ADD, { maxLength: 60 }),
        fc.array(between, { maxLength: 60 }),
        REACHED,
        (orders, changes, { mint, held }) => {
          const both = new IndexAndList(1);
          for (const order of orders) both.apply(order);
          const [touched, offered] = [new Set<string>(), new Set<string>()];
          const before = both.reached(mint, held);
          for (const id of both.index.reached(toMint(mint), held)) {
            expect(both.reached(mint, held)).toContain(id);
            offered.add(id);
            for (const change of changes.shift() ?? []) {
              touched.add(toId(change.id ?? 0));
              for (const woken of both.apply(change)) touched.add(woken);
            }
          }
          const untouched = (ids: Iterable<string>) => [...ids].filter((id) => !touched.has(id));
          expect(untouched(offered)).toEqual(untouched(new Set(before)));
        },
      ),
      { cases: 3_000, seed: 37 },
    );
  });

  it('grows and empties by the thousand, and uses the memory again', () => {
    const both = new IndexAndList(7);
    let bytes = 0;
    for (let round = 0; round < 2; round++) {
      for (let id = 0; id < 9_000; id++) {
        const price = 1 + ((id * 7_919) % 1_000);
        const isAbove = id % 2 === 0;
        const exit = id % 3 === 0 ? { mint: (id + 1) % 3_000, price: 5 } : null;
        both.apply({ kind: 'add', id, mint: id % 3_000, isAbove, price, exit, retryAt: id % 5 });
      }
      both.compare();
      expect(both.index.mintCount).toBe(3_000);
      if (round === 0) bytes = both.index.bytes;
      for (let id = 0; id < 9_000; id++) both.apply({ kind: 'remove', id: (id * 7) % 9_000 });
      expect(both.index.size).toBe(0);
    }
    expect(both.index.mintCount).toBe(0);
    expect(both.index.bytes).toBe(bytes);
  });

  it('tells when the first order names a mint, and when the last one that did is gone', () => {
    const told: [Address, boolean][] = [];
    const index = new TriggerIndex({ seeds: [1, 2], onMint: (mint, isNamed) => told.push([mint, isNamed]) });
    const [one, other, third] = [toMint(1), toMint(2), toMint(3)];
    index.add(toOrder(1, { triggerMint: one, inputMint: one, outputMint: other }));
    index.add(toOrder(2, { triggerMint: one, inputMint: third, outputMint: one }));
    // The order is replaced by one that names other mints.
    index.add(toOrder(1, { triggerMint: third, inputMint: third, outputMint: one }));
    index.remove(toId(2));
    index.remove(toId(1));
    const named = [one, other, third].map((mint) => [mint, true]);
    expect(told).toEqual([...named, [other, false], [third, false], [one, false]]);
  });

  it('names the prices that orders trail, until the last order that trails one is gone', () => {
    const index = new TriggerIndex({ seeds: [1, 2] });
    const trailing = (condition: 'above' | 'below', mint: Address) => ({
      triggers: [{ mint, condition, triggerPrice: 1, isTrailing: true }],
    });
    index.add(toOrder(1, trailing('below', toMint(1))));
    index.add(toOrder(2, trailing('below', toMint(1))));
    index.add(toOrder(3, trailing('above', toMint(1))));
    index.add(toOrder(4));
    const trailed = () => [...index.trailed].map(({ mint, condition, added }) => [mint, condition, added]);
    expect(trailed()).toEqual([
      [toMint(1), 'below', 2],
      [toMint(1), 'above', 1],
    ]);
    index.add(toOrder(1, trailing('below', toMint(1))));
    index.remove(toId(3));
    index.remove(toId(2));
    expect(trailed()).toEqual([[toMint(1), 'below', 3]]);
    index.add(toOrder(1));
    expect(trailed()).toEqual([]);
  });

  it('offers all orders after a clock was put back, the round that is due first before the others', () => {
    const index = new TriggerIndex({ seeds: [1, 2] });
    const dueAt = (time: number) => ({ triggers: [], round: { dueAt: time, mint: null } });
    index.add(toOrder(1, { retryAt: 900 }));
    index.add({ ...toOrder(2, dueAt(60)), retryAt: 900 });
    index.add({ ...toOrder(3, dueAt(40)), retryAt: 900 });
    expect(index.wakeAll()).toEqual([toMint(0)]);
    expect([...index.reached(toMint(0), { low: 1, high: 1 })]).toEqual([toId(1)]);
    expect([index.dueRound, index.putOffCount]).toEqual([toId(3), 0]);
  });

  it('refuses a price that is not a positive number, prices that are alike, a round with prices, and an id that is not one of an order', () => {
    const index = new TriggerIndex({ seeds: [1, 2] });
    for (const triggerPrice of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => index.add(toOrder(1, { triggerPrice }))).toThrow(RangeError);
    }
    for (const id of ['', 'x', toId(1).toUpperCase().replace('0', 'G'), `${toId(1)}0`]) {
      expect(() => index.add({ ...toOrder(1), id })).toThrow(TypeError);
    }
    const twice = [...toOrder(1).triggers, ...toOrder(1).triggers];
    const round = { dueAt: 1, mint: null };
    for (const terms of [{ triggers: [] }, { round }, { triggers: twice }]) {
      expect(() => index.add(toOrder(1, terms))).toThrow(RangeError);
    }
    expect([index.size, index.mintCount]).toEqual([0, 0]);
    expect([...index.reached(toMint(1), { low: Number.NaN, high: Number.NaN })]).toEqual([]);
  });

  it('keeps orders of two prices in 150 bytes each, and recurring ones in 85', () => {
    for (const kind of ['exits', 'round'] as const) {
      const index = new TriggerIndex({ seeds: [1, 2] });
      for (let id = 0; id < 24_500; id++) {
        const [exit, round] = [toOrder(id, { condition: 'below' }).triggers, { dueAt: 1 + id, mint: null }];
        const triggers = kind === 'exits' ? [...toOrder(id).triggers, ...exit] : [];
        index.add(toOrder(id, { triggers, round: kind === 'round' ? round : null }));
      }
      expect(index.bytes / index.size).toBeLessThan(kind === 'exits' ? 150 : 85);
    }
  });

  it('keeps 49,000 orders in 75 bytes each, and in 125 if each has a mint of its own', () => {
    for (const mints of [1, 49_000]) {
      const index = new TriggerIndex({ seeds: [1, 2] });
      for (let id = 0; id < 49_000; id++) index.add(toOrder(id, { triggerMint: toMint(id % mints) }));
      expect(index.bytes / index.size).toBeLessThan(mints === 1 ? 75 : 125);
    }
  });
});

/** Equal ones, and the extreme ones. */
const PRICE = fc.oneof(
  fc.constantFrom(1, 1, 1 + Number.EPSILON, 2, Number.MIN_VALUE, 1e-308, Number.MAX_VALUE),
  fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }),
);
const [ID, MINT_TAG] = [fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3 })];
const TIME = fc.integer({ min: 1, max: 20 });
const ADD = fc.record({
  kind: fc.constant('add' as const),
  id: ID,
  mint: MINT_TAG,
  isAbove: fc.boolean(),
  price: PRICE,
  /** A second price on the other side. */
  exit: fc.option(fc.record({ mint: MINT_TAG, price: PRICE })),
  retryAt: fc.oneof(fc.constant(0), TIME),
});
const ADD_ROUND = fc.record({
  kind: fc.constant('add round' as const),
  id: ID,
  mint: fc.option(MINT_TAG),
  dueAt: TIME,
  retryAt: fc.oneof(fc.constant(0), TIME),
});
const TAKE_ROUND = fc.record({
  kind: fc.constant('take round' as const),
  id: fc.constant(undefined),
  until: TIME,
});
const REMOVE = fc.record({ kind: fc.constant('remove' as const), id: ID });
const PUT_OFF = fc.record({ kind: fc.constant('put off' as const), id: ID, until: TIME });
const WAKE = fc.record({
  kind: fc.constant('wake' as const),
  id: fc.constant(undefined),
  now: TIME,
  limit: fc.integer({ min: 0, max: 8 }),
});
const REACHED = fc.record({
  kind: fc.constant('reached' as const),
  id: fc.constant(undefined),
  mint: MINT_TAG,
  held: fc.record({ low: PRICE, high: PRICE }),
});

type Arbitrary<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Action = Arbitrary<
  | typeof ADD
  | typeof ADD_ROUND
  | typeof REMOVE
  | typeof PUT_OFF
  | typeof WAKE
  | typeof REACHED
  | typeof TAKE_ROUND
>;
type Terms = Partial<IndexedOrder> & {
  readonly triggerMint?: Address;
  readonly condition?: 'above' | 'below';
  readonly triggerPrice?: number;
};

interface ListedOrder {
  readonly order: IndexedOrder;
  /** Null while it is not put off. */
  dueAt: number | null;
}

/** The index, and a list of the same orders that is looked through. */
class IndexAndList {
  readonly index: TriggerIndex;
  readonly #list = new Map<string, ListedOrder>();

  constructor(seed: number) {
    this.index = new TriggerIndex({ seeds: [seed, seed + 1] });
  }

  /** Returns the orders that were woken. */
  apply(action: Action): readonly string[] {
    const { kind } = action;
    if (kind === 'add') {
      const { id, mint, isAbove, price, exit, retryAt } = action;
      const condition = isAbove ? 'above' : 'below';
      const order = toOrder(id, { triggerMint: toMint(mint), condition, triggerPrice: price, retryAt });
      const other = exit && toOrder(id, { triggerMint: toMint(exit.mint), triggerPrice: exit.price });
      const exits = other?.triggers.map((each) => ({ ...each, condition: OTHER[condition] })) ?? [];
      const indexed = { ...order, triggers: [...order.triggers, ...exits] };
      this.index.add(indexed);
      this.#list.set(order.id, { order: indexed, dueAt: retryAt === 0 ? null : retryAt });
    } else if (kind === 'add round') {
      const { id, mint, dueAt, retryAt } = action;
      const round = { dueAt: toUnique(dueAt, id), mint: mint === null ? null : toMint(mint) };
      const order = toOrder(id, { triggers: [], round, retryAt: retryAt === 0 ? 0 : toUnique(retryAt, id) });
      this.index.add(order);
      this.#list.set(order.id, { order, dueAt: Math.max(round.dueAt, order.retryAt) });
    } else if (kind === 'take round') {
      const due = [...this.#list.values()].filter(({ order, dueAt }) => order.round && dueAt === null);
      due.sort((one, other) => (one.order.round?.dueAt ?? 0) - (other.order.round?.dueAt ?? 0));
      expect(this.index.dueRound).toBe(due[0]?.order.id ?? null);
      if (due[0] === undefined) return [];
      due[0].dueAt = action.until + (due[0].order.round?.dueAt ?? 0) / 1_000;
      this.index.putOff(due[0].order.id, due[0].dueAt);
    } else if (kind === 'remove') {
      expect(this.index.remove(toId(action.id))).toBe(this.#list.delete(toId(action.id)));
    } else if (kind === 'put off') {
      const listed = this.#list.get(toId(action.id));
      const until = listed?.order.round ? toUnique(action.until, action.id) : action.until;
      expect(this.index.putOff(toId(action.id), until)).toBe(listed !== undefined);
      if (listed !== undefined) listed.dueAt = until;
    } else if (kind === 'wake') return this.#wake(action.now, action.limit);
    else {
      const offered = [...this.index.reached(toMint(action.mint), action.held)];
      expect(offered).toEqual(this.reached(action.mint, action.held));
    }
    return [];
  }

  /** Returns the ids in the order in which the index offers them. */
  reached(mint: number, { low, high }: HeldPrice): readonly string[] {
    const listed = [...this.#list.values()]
      .filter(({ dueAt }) => dueAt === null)
      .flatMap(({ order: { id, triggers } }) => triggers.map((trigger) => ({ id, ...trigger })))
      .filter((trigger) => trigger.mint === toMint(mint));
    const above = listed.filter((each) => each.condition === 'above' && each.triggerPrice <= low);
    const below = listed.filter((each) => each.condition === 'below' && each.triggerPrice >= high);
    above.sort((one, other) => one.triggerPrice - other.triggerPrice || (one.id < other.id ? -1 : 1));
    below.sort((one, other) => other.triggerPrice - one.triggerPrice || (one.id < other.id ? -1 : 1));
    return [...above, ...below].map(({ id }) => id);
  }

  compare(): void {
    const orders = [...this.#list.values()];
    const times = orders.flatMap(({ dueAt }) => dueAt ?? []);
    expect(this.index.size).toBe(orders.length);
    expect(this.index.putOffCount).toBe(times.length);
    expect(this.index.nextDue).toBe(times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)));
    for (const mint of [0, 1, 2, 3]) {
      const held = { low: Number.MAX_VALUE, high: 0 };
      expect([...this.index.reached(toMint(mint), held)]).toEqual(this.reached(mint, held));
    }
  }

  #wake(now: number, limit: number): readonly string[] {
    const mints = this.index.wake(now, limit);
    const due = [...this.#list.values()].filter(({ dueAt }) => dueAt !== null && dueAt <= now);
    due.sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0));
    expect(new Set(mints).size).toBe(mints.length);
    const woken: string[] = [];
    // Of those that are due at one time, any may be woken.
    const last = due[Math.min(limit, due.length) - 1]?.dueAt ?? 0;
    for (const listed of due) {
      const { id, triggers, round } = listed.order;
      const held = { low: Number.MAX_VALUE, high: 0 };
      if (round !== null) {
        // Nothing else is due at its time.
        if ((listed.dueAt ?? 0) > last) continue;
        listed.dueAt = round.dueAt > now ? round.dueAt : null;
        woken.push(id);
        continue;
      }
      const offered = triggers.map(({ mint }) => [...this.index.reached(mint, held)].includes(id));
      // Both prices, or none of them.
      const isWoken = offered.some(Boolean);
      expect(new Set(offered).size).toBe(1);
      if ((listed.dueAt ?? 0) < last) expect(isWoken).toBe(true);
      if (!isWoken) continue;
      expect(listed.dueAt ?? 0).toBeLessThanOrEqual(last);
      expect(mints).toEqual(expect.arrayContaining(triggers.map(({ mint }) => mint)));
      listed.dueAt = null;
      woken.push(id);
    }
    expect(woken.length).toBe(Math.min(limit, due.length));
    return woken;
  }
}

const OTHER = { above: 'below', below: 'above' } as const;

/** Returns a time that no other order has. */
function toUnique(time: number, id: number): number {
  return time + (id + 1) / 64;
}

function toId(tag: number): string {
  // Some differ in the first digits only, and some in the last ones.
  const first = (Math.imul(tag >> 2, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return `${first}-0000-7000-8000-0000${((tag & 3) * 0x3fffffff).toString(16).padStart(8, '0')}`;
}

function toMint(tag: number): Address {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(4, tag);
  return toAddress(bytes);
}

function toOrder(
  tag: number,
  { triggerMint = toMint(0), condition = 'above', triggerPrice = 1, ...terms }: Terms = {},
): IndexedOrder {
  return {
    id: toId(tag),
    inputMint: triggerMint,
    outputMint: toMint(0),
    triggers: [{ mint: triggerMint, condition, triggerPrice, isTrailing: false }],
    round: null,
    retryAt: 0,
    ...terms,
  };
}
