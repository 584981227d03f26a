import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAddress } from '../../../solana/address.ts';
import { assertProperty } from '../../../testing/random.ts';
import { DueTimes } from './due-times.ts';
import { PriceLadder } from './price-ladder.ts';

const addresses = Array.from({ length: 12 }, (_, index) => toAddress(new Uint8Array(32).fill(index + 1)));
const address = fc.constantFrom(...addresses);
const number = fc.integer({ min: 0, max: 5 });

describe('PriceLadder', () => {
  it('lists the orders that a ratio reaches, those that want least first', () => {
    const steps = fc.array(fc.record({ address, ratio: number, isAdded: fc.boolean(), reached: number }));
    const property = fc.property(steps, (all) => {
      const ladder = new PriceLadder();
      const held = new Map<string, number>();
      for (const { address, ratio, isAdded, reached } of all) {
        const before = held.get(address);
        if (before !== undefined) ladder.remove(address, before);
        held.delete(address);
        // An order that is not there with that ratio stays where it is.
        ladder.remove(address, ratio + 0.5);
        if (isAdded) {
          ladder.add(address, ratio);
          held.set(address, ratio);
        }
        const expected = [...held].filter(([, ratio]) => ratio <= reached);
        const ratios = ladder.listReached(reached, 100).map((one) => held.get(one));
        expect(ratios).toEqual(expected.map(([, ratio]) => ratio).sort());
        expect(ladder.size).toBe(held.size);
        expect(ladder.listReached(reached, 2).length).toBe(Math.min(2, expected.length));
      }
    });
    assertProperty(property, { cases: 1_000, seed: 1 });
  });
});

describe('DueTimes', () => {
  it('takes out each order once, at its latest time, in the order of their times', () => {
    const set = fc.record({
      kind: fc.constant('set' as const),
      address,
      at: fc.integer({ min: 0, max: 50 }),
    });
    const removal = fc.record({ kind: fc.constant('delete' as const), address });
    const take = fc.record({ kind: fc.constant('take' as const), now: fc.integer({ min: 0, max: 50 }) });
    const property = fc.property(fc.array(fc.oneof(set, removal, take)), (all) => {
      const times = new DueTimes();
      const held = new Map<string, number>();
      for (const step of all) {
        if (step.kind === 'set') {
          times.set(step.address, step.at);
          held.set(step.address, step.at);
        } else if (step.kind === 'delete') {
          times.delete(step.address);
          held.delete(step.address);
        } else {
          const due = [...held].filter(([, at]) => at <= step.now).map(([, at]) => at);
          const taken = times.takeDue(step.now, 100).map((one) => {
            const at = held.get(one);
            held.delete(one);
            return at;
          });
          expect(taken).toEqual(due.sort((one, other) => one - other));
        }
        expect(times.size).toBe(held.size);
      }
    });
    assertProperty(property, { cases: 1_000, seed: 2 });
  });

  it('does not grow by times that are set again and again', () => {
    const times = new DueTimes();
    for (let at = 100_000; at > 0; at--) times.set(addresses[0] as (typeof addresses)[number], at);
    expect(times.takeDue(1, 10)).toEqual([addresses[0]]);
    expect(times.takeDue(100_000, 10)).toEqual([]);
  });
});
