import { describe, expect, it } from 'vitest';
import type { PoolSummary } from '../../../market/pool-views/pool-views.ts';
import { toAddress } from '../../../solana/address.ts';
import { EMPTY_PORTAL_POOLS } from '../../../testing/gateway/portal-fixture.ts';
import { toPoolRow } from './pool-json.ts';

describe('toPoolRow', () => {
  it('has the price of whole tokens', () => {
    expect(showRow({ first: 9, second: 6 }).price).toBeCloseTo(200, 9);
  });

  it('has no price while the decimals of a token are not known', () => {
    expect(showRow({ first: 9, second: null })).toMatchObject({ price: null, liquidity: 5 });
    expect(showRow({ first: null, second: 6 }).price).toBeNull();
  });
});

const [POOL, FIRST, SECOND] = [1, 2, 3].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  PoolSummary['address'],
  PoolSummary['address'],
  PoolSummary['address'],
];
/** 200 whole second tokens of six decimals for a first one of nine. */
const SUMMARY: PoolSummary = {
  address: POOL,
  venue: 'Venue',
  mints: [FIRST, SECOND],
  dollars: 5,
  price: 0.2,
  feeShare: null,
  change: null,
};

function showRow({ first, second }: { readonly first: number | null; readonly second: number | null }) {
  return toPoolRow(SUMMARY, {
    ...EMPTY_PORTAL_POOLS,
    showToken: (mint) => ({ symbol: null, decimals: mint === FIRST ? first : second, isVerified: false }),
  });
}
