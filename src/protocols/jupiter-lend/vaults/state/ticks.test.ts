import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../testing/random.ts';
import { MAX_TICK, MIN_TICK } from './limits.ts';
import { type BigNumber, type BorrowSdk, loadBorrowSdk } from '../../../../testing/protocols/vaults-sdk.ts';
import { MAX_RATIO, MIN_RATIO, RATIO_ONE, computeRatioAtTick, findTickAtRatio } from './ticks.ts';

let sdk: BorrowSdk;
let big: (value: bigint) => BigNumber;
beforeAll(async () => {
  ({ sdk, big } = await loadBorrowSdk());
});

describe('computeRatioAtTick', () => {
  it('has the public bounds', () => {
    expect(computeRatioAtTick(MIN_TICK)).toBe(MIN_RATIO);
    // The program's bound is rounded: it is a little less than the ratio that the program computes.
    expect(computeRatioAtTick(MAX_TICK)).toBe(13_002_088_162_051_014_298_412_982n);
    expect(MAX_RATIO).toBeLessThan(computeRatioAtTick(MAX_TICK));
    expect(computeRatioAtTick(0)).toBe(RATIO_ONE);
  });

  it('agrees with the public SDK', () => {
    assertProperty(
      fc.property(anyTick, (tick) => {
        expect(computeRatioAtTick(tick).toString()).toBe(sdk.getRatioAtTick(tick).toString());
      }),
      { cases: 2_000, seed: 14, against: 'the public SDK' },
    );
  });

  it('grows by one step with each tick', () => {
    assertProperty(
      fc.property(fc.integer({ min: MIN_TICK + 4_000, max: MAX_TICK - 1 }), (tick) => {
        const step = Number((computeRatioAtTick(tick + 1) * 1_000_000_000n) / computeRatioAtTick(tick));
        expect(Math.abs(step - 1_001_500_000)).toBeLessThan(200_000);
      }),
      { cases: 500, seed: 15 },
    );
  });

  it('throws for ticks beyond the scale, and for no number', () => {
    for (const tick of [MIN_TICK - 1, MAX_TICK + 1, Number.NaN]) {
      expect(() => computeRatioAtTick(tick)).toThrow('a tick is at least -16383 and at most 16383');
    }
  });
});

describe('findTickAtRatio', () => {
  it('agrees with the public SDK, and finds a ratio of its tick that is not above', () => {
    assertProperty(
      fc.property(anyRatio, (ratio) => {
        const found = findTickAtRatio(ratio);
        expect(found?.tick).toBe(sdk.getTickAtRatio(big(ratio)));
        expect((found?.ratio ?? 0n) <= ratio).toBe(true);
      }),
      { cases: 5_000, seed: 16, against: 'the public SDK' },
    );
  });

  it('returns null beyond the bounds', () => {
    expect(findTickAtRatio(MIN_RATIO - 1n)).toBeNull();
    expect(findTickAtRatio(MAX_RATIO + 1n)).toBeNull();
  });
});

const anyTick = fc.integer({ min: MIN_TICK, max: MAX_TICK });
/** Ratios of all magnitudes. */
const anyRatio = fc
  .tuple(fc.integer({ min: 12, max: 83 }), fc.bigInt({ min: 0n, max: (1n << 84n) - 1n }))
  .map(([bits, noise]) => (1n << BigInt(bits)) + (noise & ((1n << BigInt(bits)) - 1n)))
  .filter((ratio) => ratio >= MIN_RATIO && ratio <= MAX_RATIO);
