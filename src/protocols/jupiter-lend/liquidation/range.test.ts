import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { MAX_TICK, MIN_TICK, NO_TICK } from '../vaults/state/limits.ts';
import { toArrayIndex } from '../vaults/state/tick-has-debt.ts';
import { createArraysWith } from '../../../testing/protocols/vault.ts';
import {
  listArraysOfRange,
  listLiquidationBranches,
  findLiquidationRange,
  MAX_BRANCHES,
  MAX_TICKS,
} from './range.ts';

describe('findLiquidationRange', () => {
  it('returns exactly the ticks with debt above the safe one, from the highest, up to its bound', () => {
    const property = fc.property(
      fc.uniqueArray(tick, { minLength: 1, maxLength: 30 }),
      tick,
      (ticks, safe) => {
        const sorted = ticks.toSorted((a, b) => b - a);
        const arrays = createArraysWith(1, ticks);
        const read = (index: number) => arrays.get(index) ?? null;
        const range = findLiquidationRange({ topmostTick: sorted[0] ?? NO_TICK }, safe, read);
        const above = sorted.filter((each) => each > safe);
        if (above.length === 0) {
          expect(range).toBeNull();
          return;
        }
        expect(range?.ticks).toEqual(above.slice(0, MAX_TICKS));
        expect(range?.nextTick).toBe(sorted[Math.min(above.length, MAX_TICKS)] ?? NO_TICK);
      },
    );
    assertProperty(property, { cases: 500, seed: SEED });
  });

  it('returns null for a vault without debt', () => {
    expect(findLiquidationRange({ topmostTick: NO_TICK }, 0, () => null)).toBeNull();
  });

  it('starts at the topmost tick even if it has no bit, as after a liquidation in part', () => {
    const arrays = createArraysWith(1, [-40]);
    const read = (index: number) => arrays.get(index) ?? null;
    expect(findLiquidationRange({ topmostTick: -10 }, -30, read)).toEqual({ ticks: [-10], nextTick: -40 });
  });
});

describe('listArraysOfRange', () => {
  it('covers the tick above the range, every tick of it and the next one, without gaps', () => {
    const property = fc.property(tick, tick, (one, other) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const arrays = listArraysOfRange({ ticks: [high], nextTick: low });
      const first = toArrayIndex(Math.min(high + 1, MAX_TICK));
      expect(arrays[0]).toBe(first);
      expect(arrays.at(-1)).toBe(toArrayIndex(low));
      expect(arrays).toHaveLength(first - toArrayIndex(low) + 1);
    });
    assertProperty(property, { cases: 300, seed: SEED });
    expect(listArraysOfRange({ ticks: [MIN_TICK + 2_048], nextTick: NO_TICK })).toEqual([1, 0]);
  });

  it('ends one array below the threshold if nothing is absorbed', () => {
    expect(listArraysOfRange({ ticks: [3_400], nextTick: NO_TICK }, 3_300)).toEqual([9, 8]);
    expect(listArraysOfRange({ ticks: [3_400], nextTick: 3_000 }, 3_300)).toEqual([9]);
    expect(listArraysOfRange({ ticks: [MIN_TICK + 9], nextTick: NO_TICK }, MIN_TICK + 3)).toEqual([0]);
  });
});

describe('listLiquidationBranches', () => {
  it('follows connections down to 0', () => {
    const connected = new Map([
      [7, 4],
      [4, 2],
      [2, 0],
    ]);
    expect(listLiquidationBranches(top(7), (id) => connected.get(id) ?? null)).toEqual([7, 4, 2, 0]);
    expect(listLiquidationBranches(top(0), () => null)).toEqual([0]);
  });

  it('begins with the next new branch if the current one was liquidated', () => {
    expect(listLiquidationBranches({ ...top(7), branchLiquidated: true }, () => 0)).toEqual([10, 7, 0]);
  });

  it('ends for branches that are connected in a circle, and after its bound', () => {
    expect(listLiquidationBranches(top(3), (id) => (id === 3 ? 1 : 3))).toEqual([3, 1, 0]);
    expect(listLiquidationBranches(top(900), (id) => id - 1)).toHaveLength(MAX_BRANCHES + 1);
  });

  const top = (currentBranchId: number) => ({ currentBranchId, totalBranchId: 9, branchLiquidated: false });
});

const SEED = 20_261_122;
const tick = fc.integer({ min: MIN_TICK, max: MAX_TICK });
