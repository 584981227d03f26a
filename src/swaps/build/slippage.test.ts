import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { findRoutes, type Leg } from '../../market/router/index.ts';
import { type Address, address } from '../../solana/address.ts';
import { computeAutomaticSlippage, computeRouteVariance, estimateSlippage } from './slippage.ts';

describe('computeAutomaticSlippage', () => {
  it.each([
    [0, 1, 20],
    [0, 3, 30],
    [0.001, 1, 30],
    [0.00101, 1, 31],
    [0.01, 2, 125],
    [0.5, 1, 300],
  ])('gives for an impact of %d over %d pools %d basis points', (priceImpact, pools, expected) => {
    expect(computeAutomaticSlippage({ ...QUIET, priceImpact, pools })).toBe(expected);
  });

  it('adds the 99th percentile of the moves in eight slots', () => {
    // A deviation of 5 basis points per slot is 14.1 in eight slots; 2.33 times that is 33.
    expect(computeAutomaticSlippage({ ...QUIET, variancePerSlot: 0.0005 ** 2 })).toBe(53);
    expect(computeAutomaticSlippage({ ...QUIET, variancePerSlot: 1 })).toBe(300);
  });

  it('increases with impact, pools and volatility, and stays within its bounds', () => {
    const more = fc.double({ min: 0, max: 0.01, noNaN: true });
    const grounds = fc.record({
      priceImpact: fc.double({ min: -0.1, max: 1, noNaN: true }),
      pools: fc.integer({ min: 1, max: 15 }),
      variancePerSlot: fc.double({ min: 0, max: 0.001, noNaN: true }),
    });
    assertProperty(
      fc.property(grounds, more, more, (given, impact, variance) => {
        const slippage = computeAutomaticSlippage(given);
        expect(slippage).toBeGreaterThanOrEqual(20);
        expect(slippage).toBeLessThanOrEqual(300);
        const larger = computeAutomaticSlippage({
          priceImpact: given.priceImpact + impact,
          pools: given.pools + 1,
          variancePerSlot: given.variancePerSlot + variance,
        });
        expect(larger).toBeGreaterThanOrEqual(slippage);
      }),
      { cases: 100, seed: 30 },
    );
  });
});

describe('computeRouteVariance', () => {
  it('is the variance of a single pool', () => {
    expect(variance(leg('a', 10_000, 0, 1))).toBe(4);
  });

  it('sums deviations of parallel pools, and variances of consecutive ones', () => {
    expect(variance(leg('a', 5_000, 0, 1), leg('b', 5_000, 0, 1))).toBe(9);
    expect(variance(leg('a', 10_000, 0, 1), leg('b', 10_000, 1, 2))).toBe(20);
    expect(variance(leg('a', 5_000, 0, 1), leg('b', 5_000, 0, 2), leg('c', 10_000, 1, 2))).toBe(9.25);
  });

  const leg = (pool: string, bps: number, inputIndex: number, outputIndex: number) =>
    ({ handle: { pool: { address: pool } }, bps, inputIndex, outputIndex }) as unknown as Leg;
  const variances: Readonly<Record<string, number>> = { a: 4, b: 16, c: 1 };
  const variance = (...legs: Leg[]) =>
    computeRouteVariance({ legs }, (pool: Address) => variances[pool] ?? 0);
});

describe('estimateSlippage', () => {
  it('reports the estimate and its grounds', async () => {
    const market = await openTestMarket('without programs');
    const [sol, usdc] = [
      address('So11111111111111111111111111111111111111112'),
      address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
    ];
    const request = { inputMint: sol, outputMint: usdc, amount: 1_000_000_000n, clock: market.chain.clock() };
    const [route] = findRoutes(market.pools, {
      ...request,
      allows: () => true,
      maxHops: 1,
      maxPaths: 0,
      onlyHubs: false,
    });
    if (route === undefined) throw new Error('no route');
    const noted: unknown[] = [];
    const estimated = estimateSlippage({ ...market, noteSlippage: (each) => noted.push(each) }, route);
    expect(noted).toEqual([
      { bps: estimated, priceImpact: expect.any(Number), pools: 1, variancePerSlot: 0 },
    ]);
  });
});

const QUIET = { priceImpact: 0, pools: 1, variancePerSlot: 0 };
