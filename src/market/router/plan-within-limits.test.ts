import { beforeAll, describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { address } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import { meteoraDammV2 } from '../../protocols/meteora-damm-v2/venue.ts';
import { planWithinLimits } from './plan-within-limits.ts';
import type { SplitFlow } from './split-optimiser.ts';
import { planRoute } from './plan.ts';

let bounded: PoolHandle;
let others: readonly PoolHandle[];
beforeAll(setUp);

describe('planWithinLimits', () => {
  it('gives a pool what it accepts, to a thousandth, and the rest to the other pools of the hop', () => {
    const [other] = others;
    if (other === undefined) throw new Error('the pair has one pool only');
    const split = flow([bounded, 0.5], [other, 0.5]);
    expect(planRoute(split, request())).toMatchObject({ refused: { handle: bounded } });
    const { route } = planWithinLimits(split, request());
    const [leg] = route?.legs ?? [];
    expect(leg?.handle).toBe(bounded);
    expect(route?.legs.reduce((sum, { bps }) => sum + bps, 0)).toBe(10_000);
    const taken = leg?.quote.inAmount ?? 0n;
    expect(taken).toBeGreaterThan(AMOUNT / 10n);
    const { venue, pool } = bounded;
    const more = venue.quoteExactIn(pool, USDC, taken + AMOUNT / 1_000n, request().clock);
    expect(more?.inAmount).not.toBe(taken + AMOUNT / 1_000n);
  });

  it('leaves a flow unchanged when no pool refuses', () => {
    const [other] = others;
    if (other === undefined) throw new Error('the pair has one pool only');
    const split = flow([bounded, 0.1], [other, 0.9]);
    expect(planWithinLimits(split, request())).toEqual(planRoute(split, request()));
  });

  it('names the pool that refuses when the hop has no other', () => {
    expect(planWithinLimits(flow([bounded, 1]), request())).toMatchObject({ refused: { handle: bounded } });
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
/** Of which the pool with a bound takes about an eighth. */
const AMOUNT = 10_000_000_000_000n;

const market = await openTestMarket('without programs');

function setUp(): void {
  const handles = market.pools.between(USDC, JUP);
  const found = handles.find(({ venue }) => venue.label === meteoraDammV2.label);
  if (found === undefined) throw new Error('the pair has no pool with a bound');
  bounded = found;
  others = handles.filter((each) => each !== found);
}

function request(amount = AMOUNT) {
  return { inputMint: USDC, outputMint: JUP, amount, clock: market.chain.clock() };
}

function flow(...shares: readonly (readonly [PoolHandle, number])[]): SplitFlow {
  return shares.map(([each, share]) => ({
    handle: each,
    inputMint: USDC,
    outputMint: JUP,
    amount: Number(AMOUNT) * share,
    paid: 0,
  }));
}
