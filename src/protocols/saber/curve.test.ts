import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { U64_MAX } from '../../solana/units.ts';
import { computeAmplificationAt, computeBalance, computeInvariant } from './curve.ts';

describe('the stable curve', () => {
  it('has the invariant that solves its equation', () => {
    assertProperty(
      fc.property(amplification, balances, (a, [x, y]) => {
        const exact = first((d) => polynomial(a, x, y, d) <= 0n, x + y + 1n);
        expect(apart(computeInvariant(a, x, y), exact)).toBeLessThanOrEqual(2n);
      }),
      { cases: 1000, seed: SEED },
    );
  });

  it('has the balance that solves its equation', () => {
    assertProperty(
      fc.property(amplification, balances, fc.bigInt(1n, 2000n), (a, [x, y], share) => {
        const d = computeInvariant(a, x, y);
        if (d === null) throw new Error('no invariant');
        const other = (x * share) / 1000n + 1n;
        // The polynomial rises with the balance once it is above its least value.
        const exact = first((each) => each > 0n && polynomial(a, other, each, d) >= 0n, 1n << 68n);
        if (exact > U64_MAX) expect(computeBalance(a, other, d)).toBeNull();
        else expect(apart(computeBalance(a, other, d), exact)).toBeLessThanOrEqual(2n);
      }),
      { cases: 1000, seed: SEED },
    );
  });

  it('pays what is known of the USDC/USDT pool of mainnet', () => {
    const [usdc, usdt] = [203_694_923_631n, 905_506_529_186n];
    const paid = (a: bigint): bigint => {
      const d = computeInvariant(a, usdc, usdt) ?? 0n;
      const gross = usdt - (computeBalance(a, usdc + 1_000_000n, d) ?? 0n) - 1n;
      return gross - gross / 10_000n;
    };
    expect(computeInvariant(5000n, usdc, usdt)).toBe(1_109_127_433_350n);
    expect(paid(5000n)).toBe(1_000_603n);
    const ramp = { initial: 8000n, target: 5000n, start: 1_747_460_323n, stop: 1_747_719_515n };
    expect(computeAmplificationAt(ramp, ramp.start + 100_000n)).toBe(6843n);
    expect(paid(6843n)).toBe(1_000_413n);
  });

  it('moves its amplification in proportion to the time', () => {
    const up = { initial: 100n, target: 200n, start: 1000n, stop: 2000n };
    const down = { ...up, initial: 200n, target: 100n };
    expect([1000n, 1001n, 1500n, 1999n, 2000n, 5000n].map((now) => computeAmplificationAt(up, now))).toEqual([
      100n,
      100n,
      150n,
      199n,
      200n,
      200n,
    ]);
    expect([1000n, 1001n, 1999n, 2000n].map((now) => computeAmplificationAt(down, now))).toEqual([
      200n,
      200n,
      101n,
      100n,
    ]);
    expect(computeAmplificationAt(up, 999n)).toBeNull();
  });

  it('has no answer where the program has none', () => {
    expect(computeInvariant(100n, 1n << 63n, 1n)).toBeNull();
    expect(computeInvariant(100n, 0n, 1n)).toBeNull();
    expect(computeInvariant(0n, 1n, 1n)).toBeNull();
    expect(computeInvariant(100n, 0n, 0n)).toBe(0n);
    expect(computeBalance(100n, 0n, 1n)).toBeNull();
  });
});

const SEED = 20_261_121;
const balances = fc.tuple(fc.bigInt(1n, 1n << 60n), fc.bigInt(1n, 1000n)).map(([x, share]) => {
  const y = (x * share) / 500n;
  return [x, y > 0n ? y : 1n] as const;
});
const amplification = fc.bigInt(1n, 1_000_000n);

/** The invariant without a division: 2A(x + y)4xy + 4xyD − 2AD4xy − D³, which is 0 on the curve. */
function polynomial(a: bigint, x: bigint, y: bigint, d: bigint): bigint {
  const product = 4n * x * y;
  return 2n * a * (x + y) * product + product * d - 2n * a * d * product - d * d * d;
}

/** The first value from which on the condition holds, by halving: shares nothing with Newton's method. */
function first(holds: (value: bigint) => boolean, end: bigint): bigint {
  let [low, high] = [0n, end];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (holds(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

function apart(one: bigint | null, other: bigint): bigint {
  expect(one).not.toBeNull();
  const difference = (one ?? 0n) - other;
  return difference < 0n ? -difference : difference;
}
