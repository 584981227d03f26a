import { describe, expect, it } from 'vitest';
import { toAddress } from '../../solana/address.ts';
import type { Custody, PerpetualPosition } from './layout.ts';
import { computeClosingFees, computeHourlyInterest } from './liquidation.ts';

describe('computeHourlyInterest', () => {
  it.each([
    // 500 of 1,000: 10% and 50/80 of 25%, which are 1562.5 basis points.
    ['below the target, without loans', { loans: WITHOUT_LOANS }, hourly(1_000 + 1_563)],
    // 1,100 of 1,600: 68.75%.
    ['below the target, with what is lent', {}, hourly(1_000 + 2_149)],
    // 900 of 1,000: halfway from the target to full use.
    ['beyond the target', { loans: WITHOUT_LOANS, locked: 900n }, hourly(3_500 + 1_250)],
    ['where nothing is owned', { loans: WITHOUT_LOANS, owned: 0n }, 0n],
    [
      'where the target is full use',
      { jumpRate: { ...CUSTODY.jumpRate, targetUse: 1_000_000_000n } },
      hourly(2_719),
    ],
  ])('follows the jump rate %s', (_, terms, expected) => {
    expect(computeHourlyInterest({ ...CUSTODY, ...terms }, 0n)).toBe(expected);
  });

  it('is the share in use of a flat rate, rounded up, where the custody has one', () => {
    // 1,100 of 1,600 of 7 hundred-thousandths.
    expect(computeHourlyInterest({ ...CUSTODY, hourlyRate: 9n }, 7n)).toBe(48_125n);
    expect(computeHourlyInterest({ ...CUSTODY, hourlyRate: 9n, owned: 1_001n }, 7n)).toBe(48_095n);
  });
});

describe('computeClosingFees', () => {
  it('has the interest since the position last paid, rounded up', () => {
    const position: PerpetualPosition = {
      owner: SOME_ADDRESS,
      pool: SOME_ADDRESS,
      custody: SOME_ADDRESS,
      collateralCustody: SOME_ADDRESS,
      side: 'long',
      price: 1n,
      sizeUsd: 1_000_000_001n,
      collateralUsd: 1n,
      interestSnapshot: 400n,
    };
    // 600 billionths that were booked, and two hours since.
    const grown = 600n + 2n * hourly(3_149);
    const exact = Number(grown) * (1_000_000_001 / 1_000_000_000);
    expect(computeClosingFees(position, CUSTODY, CUSTODY, 2n * HOUR)).toBe(BigInt(Math.ceil(exact)));
    expect(computeClosingFees({ ...position, interestSnapshot: 1n << 100n }, CUSTODY, CUSTODY, HOUR)).toBe(
      0n,
    );
  });
});

const SOME_ADDRESS = toAddress(new Uint8Array(32).fill(3));
const HOUR = 3_600n;

/** 1,000 atoms, half of which are locked. 600 more are lent out, and owe 30 as interest. */
const CUSTODY: Custody = {
  mint: SOME_ADDRESS,
  decimals: 6,
  isStable: true,
  tradeImpactFeeScalar: 0n,
  maxLeverage: 5_000_000n,
  owned: 1_000n,
  locked: 500n,
  cumulativeInterest: 1_000n,
  interestUpdatedAt: 0n,
  hourlyRate: 0n,
  decreasePositionBps: 0n,
  jumpRate: { min: 1_000n, max: 6_000n, target: 3_500n, targetUse: 800_000_000n },
  loans: { interestIndex: 1n, hourlyRate: 5n, debt: 630_000_000_000n, interest: 30_000_000_000n },
};
const WITHOUT_LOANS = { ...CUSTODY.loans, debt: 0n, interest: 0n };

/** Billionths an hour of a yearly rate in whole basis points. */
const hourly = (bps: number) => BigInt(Math.floor((bps * 100_000) / (24 * 365)));
