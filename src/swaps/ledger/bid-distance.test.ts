import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../../solana/units.ts';
import { assertProperty } from '../../testing/random.ts';
import { createGivenOrder, SOL, USDC } from '../../testing/swaps/test-ledger.ts';
import { createBookBid } from '../engines/maker-bid.ts';
import { computeDistance } from './bid-distance.ts';
import { chooseInterval } from './statistics-classes.ts';

describe('computeDistance', () => {
  it.each([
    [19_980_000, 1_000],
    [20_000_000, 0],
    [30_000_000, 0],
    [0, 1_000_000],
    [-5, 1_000_000],
    [19_999_999, 1],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
  ])('of %j atoms from 20,000,000 is %j hundredths of a basis point', (estimated, distance) => {
    expect(computeDistance(createGivenOrder('one'), createBookBid('acme', null, estimated))).toBe(distance);
  });

  it('is the same whichever side the platform fee is taken from', () => {
    const withFee = (mint: typeof SOL, outAmount: bigint, platformAmount: bigint) => {
      const fees = { mint, platformBps: bps(100), platformAmount, gasBps: bps(0) };
      const order = createGivenOrder('one', { quote: { outAmount, slippageBps: bps(50), fees } });
      return computeDistance(order, createBookBid('acme', null, 19_980_000));
    };
    expect(withFee(USDC, 19_800_000n, 200_000n)).toBe(1_000);
    expect(withFee(SOL, 19_800_000n, 1_000_000n)).toBe(1_000);
  });

  it('is that of what the taker pays for an exact output', () => {
    const given = createGivenOrder('one');
    const order = {
      ...given,
      request: { ...given.request, swapMode: 'ExactOut' as const },
      quote: { ...given.quote, inAmount: 1_000_000n, outAmount: 5n },
    };
    const bid = { ...createBookBid('acme', null), quoted: { inAmount: 1_000_500n, outAmount: 5n } };
    expect(computeDistance(order, bid)).toBe(500);
    expect(computeDistance(order, createBookBid('acme', null, 7))).toBeNull();
  });

  it('is a whole number from 0 to 1,000,000, or null, for any order and any bid', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    assertProperty(
      fc.property(amount, amount, amount, fc.double(), fc.boolean(), (paid, out, fee, estimated, isInput) => {
        const given = createGivenOrder('one');
        const fees = { ...given.quote.fees, mint: isInput ? SOL : USDC, platformAmount: fee };
        const order = {
          request: { ...given.request, amount: paid },
          quote: { ...given.quote, outAmount: out, fees },
        };
        const distance = computeDistance(order, createBookBid('acme', null, estimated));
        if (distance === null) return;
        expect(Number.isInteger(distance)).toBe(true);
        expect(distance >= 0 && distance <= 1_000_000).toBe(true);
      }),
      { cases: 2_000, seed: 4502 },
    );
  });
});

describe('chooseInterval', () => {
  it('divides every range of the statistics into at most 200 parts', () => {
    for (let hours = 0; hours <= 31 * 24; hours++) {
      const range = hours * 3_600_000 + 1;
      expect(range / chooseInterval(range)).toBeLessThanOrEqual(200);
    }
    expect(chooseInterval(-1)).toBe(60_000);
  });
});
