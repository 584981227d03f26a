import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { isWithinFairShare, PartyShares, SharedBudget, SharesOfSecond } from './fair-shares.ts';
import type { Party } from '../party.ts';

describe('isWithinFairShare', () => {
  it('leaves a part free, however much a single party requests', () => {
    expect(greedy(1_000, 1, 4)).toEqual([800]);
    expect(greedy(1_000, 1, 1)).toEqual([500]);
    expect(greedy(2, 1, 4)).toEqual([1]);
  });

  it('grants the first units while they last', () => {
    expect(greedy(1, 2, 4)).toEqual([1, 0]);
    expect(isWithinFairShare(0, 10, 10, 0.5)).toBe(true);
    expect(isWithinFairShare(0, 11, 10, 0.5)).toBe(false);
  });

  it('gives greedy parties equal parts, and leaves something for the next one', () => {
    const sizes = { total: fc.integer({ min: 1, max: 2_000 }), parties: fc.integer({ min: 1, max: 50 }) };
    assertProperty(
      fc.property(
        fc.record({ ...sizes, factor: fc.constantFrom(0.5, 1, 4) }),
        ({ total, parties, factor }) => {
          const held = greedy(total, parties, factor);
          expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(1);
          const free = total - held.reduce((sum, one) => sum + one, 0);
          if (parties < total / 2) expect(free).toBeGreaterThan(0);
        },
      ),
      { cases: 300, seed: 11 },
    );
  });
});

const organisation = (id: string): Party => ({ kind: 'organisation', id });
const client = (index: number): Party => ({ kind: 'client', id: `203.0.113.${index}` });

/** Takes as many places as there are, and returns how many. */
function fill(shares: PartyShares, ...parties: readonly Party[]): number {
  let taken = 0;
  for (let before = -1; taken > before; ) {
    before = taken;
    for (const party of parties) if (shares.take(party) !== null) taken++;
  }
  return taken;
}

describe('PartyShares', () => {
  it('gives one organisation four fifths, and something to the next', () => {
    const shares = new PartyShares(100);
    expect(fill(shares, organisation('acme'))).toBe(80);
    expect(fill(shares, organisation('other'))).toBe(16);
    expect(shares.isFull).toBe(false);
  });

  it('gives all callers without a key together a half, and one address half of that', () => {
    const shares = new PartyShares(100);
    expect(fill(shares, client(0))).toBe(25);
    expect(fill(shares, ...Array.from({ length: 100 }, (_, index) => client(index)))).toBe(25);
    expect(fill(shares, organisation('acme'))).toBe(40);
  });

  it('counts what is given back as free', () => {
    const shares = new PartyShares(1);
    const giveBack = shares.take('own');
    expect(shares.take(organisation('acme'))).toBeNull();
    giveBack?.();
    expect([shares.held, shares.take(client(1)) === null]).toEqual([0, false]);
  });
});

it('SharesOfSecond gives each second its own shares', () => {
  const shares = new SharesOfSecond(4, 1);
  const taken = [999, 1_000, 1_000, 1_999, 2_000].map((at) => shares.take(organisation('acme'), at));
  expect(taken).toEqual([true, true, true, false, true]);
});

it('SharedBudget shares a total, and takes back what was given', () => {
  const budget = new SharedBudget(100, 1);
  expect(budget.take('a', 40)).toBe(true);
  expect(budget.take('a', 20)).toBe(false);
  expect(budget.take('a', 10)).toBe(true);
  expect(budget.take('b', 25)).toBe(true);
  expect(budget.take('b', 1)).toBe(false);
  expect(budget.take('c', 26)).toBe(false);
  expect(budget.held).toBe(75);
  budget.giveBack('a', 50);
  expect(budget.take('b', 1)).toBe(true);
  expect(budget.take('c', 74)).toBe(true);
  budget.giveBack('b', 26);
  budget.giveBack('c', 74);
  expect(budget.held).toBe(0);
  expect(budget.take('a', 100)).toBe(true);
});

/** Returns what each party holds after they took single units in turn until none may take another. */
function greedy(total: number, parties: number, factor: number): readonly number[] {
  const held = new Array<number>(parties).fill(0);
  let free = total;
  for (let taken = true; taken; ) {
    taken = false;
    for (const [index, own] of held.entries()) {
      if (!isWithinFairShare(own, 1, free, factor)) continue;
      held[index] = own + 1;
      free--;
      taken = true;
    }
  }
  return held;
}
