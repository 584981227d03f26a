import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bps, bps } from '../../solana/units.ts';
import { assertProperty } from '../../testing/random.ts';
import { numbered } from '../../testing/test-tokens.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { findSale } from '../order-sale.ts';
import { computeFillFloor, getFillSlippage, isUsablePrice } from './floor.ts';

const LIMITS = { floorBps: 500, maxFloorBps: 2_500 };

describe('computeFillFloor', () => {
  it('is the worth of the input at the reference, less the slippage, rounded up', () => {
    const [sol, usdc] = [token(150, 9), token(1, 6)];
    const floor = (amount: bigint, slippage: number | null) =>
      computeFillFloor(
        amount,
        { input: sol, output: usdc },
        slippage === null ? null : bps(slippage),
        LIMITS,
      );
    expect(floor(1_000_000_000n, null)).toBe(142_500_000n);
    expect(floor(1_000_000_000n, 600)).toBe(141_000_000n);
    // Pools take fees, so the floor is not as narrow as a slippage may be.
    expect(floor(1_000_000_000n, 0)).toBe(142_500_000n);
    // Never less than the operator allows, whatever the order says.
    expect(floor(1_000_000_000n, 10_000)).toBe(112_500_000n);
    expect(floor(1n, null)).toBe(1n);
    expect(floor(0n, 0)).toBe(0n);
  });

  it('is the least whole number that is not below the exact fraction, for any prices', () => {
    const price = fc.double({ min: 1e-30, max: 1e30, noNaN: true });
    const decimals = fc.integer({ min: 0, max: 18 });
    const amount = fc.bigInt(1n, 2n ** 64n - 1n);
    assertProperty(
      fc.property(
        amount,
        price,
        price,
        decimals,
        decimals,
        fc.integer({ min: 0, max: 2_500 }),
        (sold, ...given) => {
          const [paid, got, from, to, slippage] = given;
          const floor = computeFillFloor(
            sold,
            { input: token(paid, from), output: token(got, to) },
            bps(slippage),
            { floorBps: 0, maxFloorBps: 2_500 },
          );
          const [one, other] = [exact(paid), exact(got)];
          // floor * other * 10^from * 10^4 >= sold * one * 10^to * (10^4 - slippage) > (floor - 1) * ...
          const right =
            sold * one.numerator * other.denominator * 10n ** BigInt(to) * BigInt(10_000 - slippage);
          const unit = other.numerator * one.denominator * 10n ** BigInt(from) * 10_000n;
          expect(floor * unit >= right && (floor - 1n) * unit < right).toBe(true);
        },
      ),
      { cases: 300, seed: 20_261_128 },
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the price %s', (dollars) => {
    const tokens = { input: token(1, 6), output: token(dollars, 6) };
    expect(() => computeFillFloor(1n, tokens, null, LIMITS)).toThrow(RangeError);
    expect(isUsablePrice(dollars)).toBe(false);
  });
});

describe('getFillSlippage', () => {
  it.each([
    ['a stop-loss', 'input', 'below', 2_000],
    ['a purchase above the price', 'output', 'above', 2_000],
    ['a take-profit', 'input', 'above', null],
    ['a purchase below the price', 'output', 'below', null],
  ] as const)('of %s that names none', (_, side, condition, expected) => {
    const mints = { inputMint: numbered(1), outputMint: numbered(2) };
    const triggerMint = side === 'input' ? mints.inputMint : mints.outputMint;
    const slippageOf = (slippageBps: Bps | null) =>
      getFillSlippage(
        findSale(createTestOrder(1, { ...mints, triggerMint, condition, slippageBps }), 'single'),
      );
    expect(slippageOf(null)).toBe(expected);
    expect(slippageOf(bps(0))).toBe(0);
    expect(slippageOf(bps(10_000))).toBe(10_000);
  });
});

const token = (dollars: number, decimals: number) => ({ dollars, decimals });

/** The number as it is stored, by its bits. */
function exact(value: number): { readonly numerator: bigint; readonly denominator: bigint } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const exponent = Number((bits.getBigUint64(0) >> 52n) & 0x7ffn) - 1_075;
  const numerator = (bits.getBigUint64(0) & ((1n << 52n) - 1n)) | (1n << 52n);
  return exponent >= 0
    ? { numerator: numerator << BigInt(exponent), denominator: 1n }
    : { numerator, denominator: 1n << BigInt(-exponent) };
}
