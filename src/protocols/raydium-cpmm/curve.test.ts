import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type SwapRates, swapExactIn, swapExactOut } from './curve.ts';

describe('swapExactIn', () => {
  it('pays the most that does not let the product of the reserves fall', () => {
    assertProperty(
      fc.property(amount, reserve, reserve, rates, (input, reserveIn, reserveOut, rate) => {
        const inputFee = feeOf(input, rate.creatorOnInput ? rate.trade + rate.creator : rate.trade);
        const traded = input - inputFee;
        const kept = least(0n, (left) => (reserveIn + traded) * left >= reserveIn * reserveOut);
        const gross = reserveOut - kept;
        const creatorFee = rate.creatorOnInput ? null : feeOf(gross, rate.creator);

        const swap = swapExactIn(input, reserveIn, reserveOut, rate);
        if (traded === 0n) {
          expect(swap).toBeNull();
          return;
        }
        expect(swap?.output).toBe(gross - (creatorFee ?? 0n));
        if (creatorFee !== null) expect(swap?.creatorFee).toBe(creatorFee);
        expect((swap?.tradeFee ?? 0n) + (creatorFee === null ? (swap?.creatorFee ?? 0n) : 0n)).toBe(inputFee);
      }),
      { cases: 3000, seed: SEED },
    );
  });

  it('gives protocol, fund and creator no more than their shares of the fee', () => {
    assertProperty(
      fc.property(amount, reserve, reserve, rates, (input, reserveIn, reserveOut, rate) => {
        const swap = swapExactIn(input, reserveIn, reserveOut, rate);
        if (swap === null) return;
        expect(swap.protocolFee * MILLION <= swap.tradeFee * rate.protocol).toBe(true);
        expect(swap.fundFee * MILLION <= swap.tradeFee * rate.fund).toBe(true);
        expect(swap.protocolFee + swap.fundFee <= swap.tradeFee).toBe(true);
        if (rate.creatorOnInput) {
          const inputFee = swap.tradeFee + swap.creatorFee;
          expect(swap.creatorFee * (rate.trade + rate.creator) <= inputFee * rate.creator).toBe(true);
        }
      }),
      { cases: 2000, seed: SEED },
    );
  });

  it('takes one fee for trade and creator together, rounded up once', () => {
    // 3 * 0.3% and 3 * 0.2% would each round up to 1; together they are one atom, which the trade fee keeps.
    const rate = { trade: 3000n, creator: 2000n, protocol: 0n, fund: 0n, creatorOnInput: true };
    expect(swapExactIn(3n, 1000n, 1_000_000n, rate)).toMatchObject({ tradeFee: 1n, creatorFee: 0n });
  });
});

describe('swapExactOut', () => {
  it('takes the least that keeps the product of the reserves and leaves every fee', () => {
    assertProperty(
      fc.property(amount, reserve, reserve, rates, (output, reserveIn, reserveOut, rate) => {
        const gross = rate.creatorOnInput
          ? output
          : least(output, (value) => value - feeOf(value, rate.creator) >= output);
        const swap = swapExactOut(output, reserveIn, reserveOut, rate);
        if (gross >= reserveOut) {
          expect(swap).toBeNull();
          return;
        }
        const inputRate = rate.creatorOnInput ? rate.trade + rate.creator : rate.trade;
        const traded = least(
          0n,
          (more) => (reserveIn + more) * (reserveOut - gross) >= reserveIn * reserveOut,
        );
        const input = least(traded, (value) => value - feeOf(value, inputRate) >= traded);
        expect(swap?.input).toBe(input);
        expect(swap?.output).toBe(output);
        expect(swap && swap.tradeFee + swap.creatorFee).toBe(
          input - traded + (rate.creatorOnInput ? 0n : gross - output),
        );
      }),
      { cases: 3000, seed: SEED },
    );
  });

  it('is never cheaper than what exact input pays for the same amount', () => {
    assertProperty(
      fc.property(amount, reserve, reserve, rates, (output, reserveIn, reserveOut, rate) => {
        const swap = swapExactOut(output, reserveIn, reserveOut, rate);
        if (swap === null) return;
        const forward = swapExactIn(swap.input, reserveIn, reserveOut, rate);
        expect((forward?.output ?? 0n) >= output).toBe(true);
      }),
      { cases: 3000, seed: SEED },
    );
  });
});

const SEED = 20_261_121;
const MILLION = 1_000_000n;

/** The least number from `low` up for which `holds`, which stays true once it is. */
function least(low: bigint, holds: (value: bigint) => boolean): bigint {
  let high = low + 1n;
  while (!holds(high)) high = low + (high - low) * 2n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (holds(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/** A fee by its definition: the least whole number that is not below amount x rate. */
const feeOf = (amount: bigint, rate: bigint): bigint => least(0n, (fee) => fee * MILLION >= amount * rate);

const reserve = fc.bigInt(1n, (1n << 62n) - 1n);
const amount = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 1n << 40n), fc.bigInt(1n, (1n << 62n) - 1n));
const rates: fc.Arbitrary<SwapRates> = fc.record({
  trade: fc.oneof(fc.constantFrom(0n, 1n, 2500n, 10_000n), fc.bigInt(0n, 499_999n)),
  creator: fc.oneof(fc.constantFrom(0n, 500n), fc.bigInt(0n, 499_999n)),
  protocol: fc.bigInt(0n, 500_000n),
  fund: fc.bigInt(0n, 500_000n),
  creatorOnInput: fc.boolean(),
});
