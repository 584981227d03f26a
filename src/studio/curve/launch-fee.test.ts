import { describe, expect, it } from 'vitest';
import { toDbcBaseFee } from '../../protocols/meteora-dbc/build-config/fees.ts';
import type { LaunchFeePlan } from './launch-plan.ts';
import { toLaunchFee } from './launch-fee.ts';

const PLAIN: LaunchFeePlan = { bps: 100, kind: null, totalDuration: null, isAntiSniping: false };

describe('toLaunchFee', () => {
  it('is the same from the first trade on if nothing is said about a fall', () => {
    expect(toLaunchFee(PLAIN, drawNothing)).toMatchObject({ startingFeeBps: 100, endingFeeBps: 100 });
  });

  it.each([
    [0, 1],
    [0.5, 2],
    [0.999, 3],
  ])(
    'falls from 99 % by a percent in each step against bots, with random %d in steps of %d s',
    (random, seconds) => {
      const fee = toLaunchFee({ ...PLAIN, bps: 200, isAntiSniping: true }, () => random);
      expect(fee).toMatchObject({ startingFeeBps: 9_900, endingFeeBps: 200, numberOfPeriods: 97 });
      // A percent in billionths.
      expect(toDbcBaseFee(fee)).toMatchObject({ thirdFactor: 10_000_000n, secondFactor: BigInt(seconds) });
    },
  );

  it.each(
    [60, 120, 180, 240, 300].flatMap((totalDuration) =>
      [true, false].map((isAntiSniping) => ({ totalDuration, isAntiSniping })),
    ),
  )('falls in exactly the given time: $totalDuration s, against bots: $isAntiSniping', (given) => {
    const fee = toLaunchFee({ ...PLAIN, kind: 'exponential', ...given }, drawNothing);
    const { firstFactor, secondFactor } = toDbcBaseFee(fee);
    expect(BigInt(firstFactor) * secondFactor).toBe(BigInt(given.totalDuration));
    expect(fee).toMatchObject({ kind: 'exponential', startingFeeBps: given.isAntiSniping ? 9_900 : 5_000 });
  });

  it('is refused if it says how it falls, and not for how long', () => {
    expect(() => toLaunchFee({ ...PLAIN, kind: 'linear' }, drawNothing)).toThrow(
      'fee.baseFeeMode must be left out',
    );
  });
});

function drawNothing(): number {
  throw new Error('a fee without steps of random length draws no number');
}
