import { beforeAll, describe, expect, it } from 'vitest';
import { openTestMarket, type GenesisTestMarket } from '../../testing/genesis-market/open.ts';
import { type Address, address } from '../../solana/address.ts';
import { compareAmounts } from '../../solana/units.ts';
import type { ExactOutRequest } from './exact-out.ts';
import { findRoutesExactOut } from './exact-out.ts';
import { findRoutes, type RouteRequest } from './index.ts';

let market: GenesisTestMarket;

beforeAll(async () => {
  market = await openTestMarket('without programs');
});

describe('findRoutesExactOut', () => {
  it('finds the cheapest of all paths over one or two pools', () => {
    for (const [inputMint, outputMint, amount] of PAIRS) {
      const wanted = { ...request(inputMint, outputMint, amount), maxHops: 2 } as const;
      const [best] = findRoutesExactOut(market.pools, wanted);
      expect(best?.inAmount).toBe(cheapestOfTwo(wanted) ?? undefined);
    }
  });

  it('pays at least the requested amount, and over one pool not with an atom less of input', () => {
    let direct = 0;
    for (const [inputMint, outputMint, amount] of PAIRS) {
      const wanted = request(inputMint, outputMint, amount);
      for (const route of findRoutesExactOut(market.pools, wanted)) {
        expect(route.outAmount).toBeGreaterThanOrEqual(amount);
        const [leg] = route.legs;
        if (route.legs.length > 1 || leg === undefined) continue;
        const { venue, pool } = leg.handle;
        const less = venue.quoteExactIn(pool, inputMint, route.inAmount - 1n, wanted.clock);
        expect(less?.outAmount ?? 0n).toBeLessThan(amount);
        direct++;
      }
    }
    expect(direct).toBeGreaterThan(1);
  });

  it('sorts paths by their input, over at most three pools and without splits', () => {
    const routes = [...findRoutesExactOut(market.pools, request(BONK, JUP, 5_000_000n))];
    // Behind the paths of three hops come those of fewer.
    const inputs = routes.slice(0, routes.length / 2).map(({ inAmount }) => inAmount);
    expect(inputs.length).toBeGreaterThan(2);
    expect(inputs).toEqual(inputs.toSorted(compareAmounts));
    for (const { legs } of routes) {
      expect(legs.length).toBeLessThanOrEqual(3);
      expect(legs.map(({ bps, inputIndex }) => [bps, inputIndex])).toEqual(
        legs.map((_, index) => [10_000, index]),
      );
    }
  });

  it('ends with each pool of the pair that can pay the amount, the cheapest first', () => {
    const wanted = request(SOL, USDC, 100_000_000n);
    const routes = [...findRoutesExactOut(market.pools, wanted)];
    const able = market.pools
      .between(SOL, USDC)
      .flatMap(({ venue, pool }) => venue.quoteExactOut(pool, SOL, wanted.amount, wanted.clock) ?? []);
    const last = routes.slice(-able.length);
    for (const { legs } of last) expect(legs).toHaveLength(1);
    expect(new Set(last.map(({ legs }) => legs[0]?.handle)).size).toBe(able.length);
    expect(able.length).toBeGreaterThan(2);
  });

  it('uses one pool when only direct routes are requested', () => {
    const wanted = { ...request(SOL, USDC, 100_000_000n), maxHops: 1 } as const;
    const routes = [...findRoutesExactOut(market.pools, wanted)];
    expect(routes.length).toBeGreaterThan(0);
    for (const { legs } of routes) expect(legs).toHaveLength(1);
  });

  it('finds nothing for more than all pools hold, for no venue, and for a mint against itself', () => {
    const { pools } = market;
    expect([...findRoutesExactOut(pools, request(SOL, USDC, (1n << 64n) - 1n))]).toEqual([]);
    expect([...findRoutesExactOut(pools, { ...request(SOL, USDC, 1_000n), allows: () => false })]).toEqual(
      [],
    );
    expect([...findRoutesExactOut(pools, request(SOL, SOL, 1_000n))]).toEqual([]);
  });
});

describe('shares in percent', () => {
  it('are whole and add up for every index, at a small loss', () => {
    const clock = market.chain.clock();
    for (const amount of [1_000_000_000n, 20_000_000_000_000n]) {
      const wanted: RouteRequest = {
        inputMint: SOL,
        outputMint: USDC,
        amount,
        clock,
        allows: () => true,
        maxHops: 3,
        maxPaths: 5,
        onlyHubs: false,
      };
      const [finest] = findRoutes(market.pools, wanted);
      const [best, ...others] = findRoutes(market.pools, { ...wanted, shareUnit: 100 });
      expect((best?.outAmount ?? 0n) * 1_000n).toBeGreaterThan((finest?.outAmount ?? 0n) * 999n);
      for (const route of [best, ...others]) {
        const totals = new Map<number, number>();
        for (const { inputIndex, bps } of route?.legs ?? []) {
          expect(bps % 100).toBe(0);
          totals.set(inputIndex, (totals.get(inputIndex) ?? 0) + bps);
        }
        expect([...totals.values()]).toEqual([...totals.values()].map(() => 10_000));
      }
    }
  });
});

const SOL = address('So11111111111111111111111111111111111111112');
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const PAIRS: readonly [Address, Address, bigint][] = [
  [SOL, USDC, 100_000_000n],
  [USDC, SOL, 1_000_000_000n],
  [BONK, JUP, 5_000_000n],
  [JUP, BONK, 123_456_789n],
];

function request(inputMint: Address, outputMint: Address, amount: bigint): ExactOutRequest {
  const clock = market.chain.clock();
  return { inputMint, outputMint, amount, clock, allows: () => true, maxHops: 3, onlyHubs: false };
}

/** The least that any one or two pools take for the amount, by trying them all. */
function cheapestOfTwo({ inputMint, outputMint, amount, clock }: ExactOutRequest): bigint | null {
  const { pools } = market;
  let least: bigint | null = null;
  const takes = (from: Address, to: Address, wanted: bigint): bigint | null => {
    const quotes = pools.between(from, to).flatMap(({ venue, pool }) => {
      const quote = venue.quoteExactOut(pool, from, wanted, clock);
      return quote === null ? [] : [quote.inAmount];
    });
    return quotes.toSorted((one, other) => (one < other ? -1 : 1))[0] ?? null;
  };
  for (const middle of [null, ...pools.counterparts(outputMint).keys()]) {
    if (middle === inputMint) continue;
    const between = middle === null ? amount : takes(middle, outputMint, amount);
    if (between === null) continue;
    const needed = takes(inputMint, middle ?? outputMint, between);
    if (needed !== null && (least === null || needed < least)) least = needed;
  }
  return least;
}
