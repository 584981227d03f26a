import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { assertProperty } from '../../testing/random.ts';
import type { PoolState, Trading } from '../../protocol/venue/venue.ts';
import { toAddress } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import { computeDepthCurve, DEPTH_POINTS, type DepthPoint, quoteAlone } from './depth-curve.ts';

describe('computeDepthCurve', () => {
  it('quotes each amount as the venue does, and both amounts rise while the price falls, in every pool', () => {
    const property = fc.property(pool, side, seconds, (handle, at, later) => {
      const inputMint = handle.pool.mints[at];
      const clock = { ...CLOCK, unixTimestamp: CLOCK.unixTimestamp + BigInt(later) };
      const { points, end, marginalPrice } = computeDepthCurve(handle, inputMint, clock);
      expect(points.length).toBeLessThanOrEqual(DEPTH_POINTS + 1);
      expect(points.length === 0).toBe(end === 'refused');
      const quoted = points.map(({ inAmount }) => {
        const quote = handle.venue.quoteExactIn(handle.pool, inputMint, inAmount, clock);
        return { inAmount: quote?.inAmount, outAmount: quote?.outAmount };
      });
      expect(points).toEqual(quoted);
      const isFalling = points.slice(1).every(({ inAmount, outAmount }, index) => {
        const before = points[index] as DepthPoint;
        const isCheaper = outAmount * before.inAmount <= (before.outAmount + MOST_ROUNDED) * inAmount;
        return inAmount > before.inAmount && outAmount >= before.outAmount && isCheaper;
      });
      expect(isFalling).toBe(true);
      const last = points.at(-1);
      if (last !== undefined && end === 'half-price' && marginalPrice > 0)
        expect(Number(last.outAmount) / Number(last.inAmount)).toBeGreaterThan(0.49 * marginalPrice);
    });
    assertProperty(property, { cases: 300, seed: 20_261_129, against: 'the venues' });
  });

  it('ends at the largest amount that the pool takes', () => {
    const limited = offerOf({ limit: 1_000n, lot: 1n });
    const { points, end } = computeDepthCurve(limited, ONE, CLOCK);
    expect(end).toBe('exhausted');
    expect(points.at(-1)).toEqual({ inAmount: 1_000n, outAmount: 2_000n });
    expect(quoteAlone(limited, ONE, 1_001n, CLOCK)).toBeNull();
  });

  it('has one point for amounts of which the venue takes the same', () => {
    const { points } = computeDepthCurve(offerOf({ limit: 1_000n, lot: 100n }), ONE, CLOCK);
    const taken = points.map(({ inAmount }) => inAmount);
    expect(taken).toEqual([...new Set(taken)]);
    expect(taken.every((amount) => amount % 100n === 0n && amount > 0n)).toBe(true);
    expect(taken.at(-1)).toBe(1_000n);
  });

  it('says that a direction is closed, and that another one has no end', () => {
    const closed = computeDepthCurve(offerOf({ limit: 0n, lot: 1n }), ONE, CLOCK);
    expect(closed).toEqual({ inputMint: ONE, marginalPrice: 0, points: [], end: 'refused' });
    const open = computeDepthCurve(offerOf({ limit: 1n << 63n, lot: 1n }), ONE, CLOCK);
    expect(open.end).toBe('open');
    expect(open.points.length).toBe(DEPTH_POINTS);
  });

  const side = fc.constantFrom(0 as const, 1 as const);
  const seconds = fc.nat(86_400);
});

/**
 * By how many atoms an output may be rounded down. A deposit to Jupiter Lend is rounded three times: to what the reserve keeps, to
 * what that is worth, and to shares.
 */
const MOST_ROUNDED = 3n;
const market = await openTestMarket('without programs');
const CLOCK = market.chain.clock();
const pool = fc.constantFrom(...market.pools.all(true));
const [POOL, ONE, OTHER] = [1, 2, 3].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  PoolState['address'],
  PoolState['address'],
  PoolState['address'],
];

/** An offer that pays two atoms for one, up to a limit, and takes whole lots only. */
function offerOf({ limit, lot }: { readonly limit: bigint; readonly lot: bigint }): PoolHandle {
  const venue: Partial<Trading> = {
    quoteExactIn: (_pool, _mint, amount) => {
      const inAmount = (amount / lot) * lot;
      if (amount > limit || inAmount === 0n) return null;
      return { inAmount, outAmount: 2n * inAmount, feeAmount: 0n, feeMint: ONE };
    },
    estimate: (_pool, _mint, amount) => 2 * Math.min(amount, Number(limit)),
  };
  return { venue: venue as Trading, pool: { address: POOL, mints: [ONE, OTHER] } };
}
