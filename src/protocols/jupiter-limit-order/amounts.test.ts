import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { computeFillPayment, type PricedOrder } from './amounts.ts';

const ORDER: PricedOrder = {
  making: 1_000n,
  taking: 500n,
  originalTaking: 500n,
  feeBps: 100,
  slippageBps: 0,
};
const ANY = 1n << 64n;

describe('computeFillPayment', () => {
  it('rounds the price up, and charges the fee of all that was paid so far', () => {
    expect(computeFillPayment(ORDER, 333n, ANY)).toEqual({ owed: 167n, paid: 167n, fee: 2n });
    const rest = { ...ORDER, making: 667n, taking: 333n };
    expect(computeFillPayment(rest, 667n, ANY)).toEqual({ owed: 333n, paid: 333n, fee: 3n });
  });

  it('returns null for a part that the order does not allow', () => {
    for (const making of [-1n, 0n, 1_001n]) expect(computeFillPayment(ORDER, making, ANY)).toBeNull();
    expect(computeFillPayment({ ...ORDER, taking: 1n }, 999n, ANY)).toBeNull();
  });

  it('accepts a lower maximum only within the slippage', () => {
    expect(computeFillPayment(ORDER, 200n, 99n)).toBeNull();
    const slipping = { ...ORDER, slippageBps: 101 };
    expect(computeFillPayment(slipping, 200n, 98n)).toBeNull();
    expect(computeFillPayment(slipping, 200n, 99n)).toEqual({ owed: 100n, paid: 99n, fee: 1n });
  });

  it('leaves the maker something of every payment, and no rest for nothing', () => {
    const amount = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n });
    const orders = fc.record({
      making: amount,
      taking: amount,
      paidBefore: fc.bigInt({ min: 0n, max: 1n << 40n }),
      feeBps: fc.integer({ min: 0, max: 1_000 }),
      slippageBps: fc.integer({ min: 0, max: 9_999 }),
      share: fc.integer({ min: 1, max: 1_000 }),
    });
    assertProperty(
      fc.property(orders, ({ share, paidBefore, ...order }) => {
        const making = (order.making * BigInt(share)) / 1_000n;
        const priced = { ...order, originalTaking: order.taking + paidBefore };
        const payment = computeFillPayment(priced, making, 0n) ?? computeFillPayment(priced, making, ANY);
        if (payment === null) return;
        const { owed, paid, fee } = payment;
        expect(fee >= 0n && fee < paid && paid <= owed && owed <= order.taking).toBe(true);
        expect(owed * order.making >= making * order.taking).toBe(true);
        expect(owed === order.taking).toBe(making === order.making);
      }),
      { cases: 5_000, seed: 20_261_128 },
    );
  });
});
