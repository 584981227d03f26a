import {
  getFeeSchedulerParams,
  getMigratedPoolMarketCapFeeSchedulerParams,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../testing/random.ts';
import { toDbcBaseFee, toMigratedBaseFee } from './fees.ts';

describe('the factors of fees, as Meteora’s library computes them', () => {
  it('are the same for fees that fall exponentially with time', () => {
    for (const { from, to, periods } of sampleCases(falls, SUITE)) {
      if (from <= to || (periods === 7 && from === 128 * to)) continue;
      const duration = periods * 60;
      const theirs = getFeeSchedulerParams(from, to, EXPONENTIAL, periods, duration);
      const fee = toDbcBaseFee({
        kind: 'exponential',
        startingFeeBps: from,
        endingFeeBps: to,
        numberOfPeriods: periods,
        totalDuration: BigInt(duration),
      });
      expect(fee.thirdFactor, `${from} to ${to} in ${periods}`).toBe(BigInt(String(theirs.thirdFactor)));
    }
  });

  it('differ by one where the library loses the last of its twenty digits', () => {
    const theirs = getFeeSchedulerParams(3_200, 25, EXPONENTIAL, 7, 420);
    expect(String(theirs.thirdFactor)).toBe('4999');
    const fee = { kind: 'exponential', startingFeeBps: 3_200, endingFeeBps: 25, numberOfPeriods: 7 } as const;
    expect(toDbcBaseFee({ ...fee, totalDuration: 420n }).thirdFactor).toBe(5_000n);
  });

  it('are the same for fees that fall with the market capitalisation', () => {
    for (const { from, to, periods, first, rise } of sampleCases(falls, SUITE)) {
      const [startingMarketCap, endingMarketCap] = [first, (first * rise) / 100n];
      const multiple = Number(endingMarketCap) / Number(startingMarketCap);
      for (const [kind, mode] of [
        ['linear', 3],
        ['exponential', 4],
      ] as const) {
        const theirs = attempt(() =>
          getMigratedPoolMarketCapFeeSchedulerParams(from, to, mode, periods, multiple, 9),
        );
        // The library refuses fees that do not fall, and steps of nothing.
        if (theirs === null) continue;
        const { scheduler } = toMigratedBaseFee(from, {
          kind,
          endingFeeBps: to,
          numberOfPeriods: periods,
          startingMarketCap,
          endingMarketCap,
          expirationDuration: 9,
        });
        expect(scheduler).toEqual({ ...theirs, reductionFactor: BigInt(String(theirs.reductionFactor)) });
      }
    }
  });
});

const SUITE = { cases: 20_000, short: 2_000, seed: 42, against: "Meteora's library" };
/** The library's number for a fee that falls exponentially. */
const EXPONENTIAL = 1;

/** Numbers of fees and market caps. Whole powers are among them, where roundings decide. */
const falls = fc
  .record({
    to: fc.integer({ min: 25, max: 800 }),
    fall: fc.oneof(fc.integer({ min: 1, max: 9_000 }), fc.constantFrom(0)),
    root: fc.constantFrom(2, 4, 5),
    power: fc.integer({ min: 1, max: 8 }),
    periods: fc.integer({ min: 1, max: 60 }),
    first: fc.bigInt(1n, 10n ** 15n),
    rise: fc.oneof(fc.bigInt(100n, 1_000_000n), fc.constantFrom(121n, 144n, 225n, 400n, 10_000n)),
  })
  .map(({ to, fall, root, power, periods, first, rise }) => {
    const isWhole = fall === 0 && to * root ** power <= 9_900;
    return isWhole
      ? { to, from: to * root ** power, periods: power, first: first * 100n, rise }
      : { to, from: Math.min(to + fall, 9_900), periods, first: first * 100n, rise };
  });

function attempt<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch {
    return null;
  }
}
