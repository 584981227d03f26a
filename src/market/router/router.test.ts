import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { type Address, address } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { Pools } from '../pools/pools.ts';
import { meteoraDammV2 } from '../../protocols/meteora-damm-v2/venue.ts';
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import { decodePool, encodePool } from '../../protocols/raydium-cpmm/program/layout.ts';
import { findRoutes, type Route, type RouteRequest } from './index.ts';

describe('findRoutes', () => {
  it('returns the best of all pools and pairs of pools when it may not split', () => {
    for (const amount of [1_000_000n, 1_000_000_000n, 5_000_000_000_000n]) {
      const wanted = { ...request(SOL, USDC, amount), maxHops: 2, maxPaths: 0 } as const;
      expect(find(wanted)[0]?.outAmount).toBe(bestOfTwo(market.pools, wanted));
    }
  });

  it('returns the best route first', () => {
    for (const amount of [1_000_000n, 1_000_000_000n, 1_000_000_000_000n, 1_000_000_000_000_000n]) {
      const [first, ...others] = find(request(BONK, USDC, amount)).map(({ outAmount }) => outAmount);
      expect(others.length).toBeGreaterThan(2);
      expect(others.filter((each) => each > (first ?? 0n))).toEqual([]);
    }
  });

  it('returns a route through each venue that has one, even if it pays much less', () => {
    const labels = new Set(
      find(request(SOL, USDC, 1_000_000_000n)).flatMap(({ legs }) =>
        legs.map((leg) => leg.handle.venue.label),
      ),
    );
    expect([...labels]).toEqual(expect.arrayContaining(['Raydium CP', 'Whirlpool']));
  });

  it('splits a large amount and gets more for it than any single path pays', () => {
    const wanted = request(SOL, USDC, 20_000_000_000_000n);
    const [best] = find(wanted);
    const [single] = find({ ...wanted, maxPaths: 0 });
    expect(new Set(best?.legs.map(({ inputIndex }) => inputIndex)).size).toBeLessThan(best?.legs.length ?? 0);
    expect(best?.outAmount).toBeGreaterThan(single?.outAmount ?? 0n);
  });

  it('sends a limited pool its limit instead of leaving it out', () => {
    // Both pools against JUP itself are moved far by so much; one of them is concentrated, and takes an eighth.
    const [best] = find(request(USDC, JUP, 10_000_000_000_000n));
    const [without] = find({
      ...request(USDC, JUP, 10_000_000_000_000n),
      allows: (label) => label !== meteoraDammV2.label,
    });
    const labels = best?.legs.map(({ handle: { venue } }) => venue.label);
    expect(labels).toContain(meteoraDammV2.label);
    expect(best?.outAmount).toBeGreaterThan(((without?.outAmount ?? 0n) * 6n) / 5n);
  });

  it('leaves out pools that are excluded in their present state', () => {
    const [pool] = market.pools.between(SOL, USDC);
    const excludes = ({ pool: { address } }: PoolHandle) => address === pool?.pool.address;
    const used = (wanted: RouteRequest) =>
      find(wanted).flatMap(({ legs }) => legs.map(({ handle }) => handle.pool.address));
    expect(used(request(SOL, USDC, 1_000_000_000n))).toContain(pool?.pool.address);
    expect(used({ ...request(SOL, USDC, 1_000_000_000n), excludes })).not.toContain(pool?.pool.address);
  });

  it('returns narrower and narrower splits of a large amount', () => {
    const routes = find(request(SOL, USDC, 90_000_000_000_000n));
    const lengths = new Set(routes.map(({ legs }) => legs.length));
    expect([...lengths].filter((length) => length < 10).length).toBeGreaterThan(5);
  });

  it('ends with each pool of the pair by itself', () => {
    const pools = market.pools.between(SOL, USDC);
    const last = find(request(SOL, USDC, 1_000_000_000n)).slice(-pools.length);
    expect(pools.length).toBeGreaterThan(2);
    expect(new Set(last.map(({ legs }) => legs[0]?.handle))).toEqual(new Set(pools));
    for (const { legs } of last) expect(legs).toHaveLength(1);
  });

  it('returns the pool of the pair too when many longer paths pay more', () => {
    const wanted = { ...request(JTO, JITO_SOL, 1_000_000_000_000_000n), maxPaths: 0 } as const;
    const lengths = find(wanted).map(({ legs }) => legs.length);
    expect(lengths.indexOf(1)).toBeGreaterThan(7);
  });

  it('spends each index completely, and feeds it before that', () => {
    for (const amount of [1_000_000_000n, 3_000_000_000_000n, 90_000_000_000_000n]) {
      for (const route of find(request(SOL, USDC, amount))) {
        const shares = new Map<number, number>();
        const paid = new Set([0]);
        for (const { inputIndex, outputIndex, bps } of route.legs) {
          expect(paid).toContain(inputIndex);
          paid.add(outputIndex);
          expect(shares.has(outputIndex)).toBe(false);
          shares.set(inputIndex, (shares.get(inputIndex) ?? 0) + bps);
        }
        expect([...shares.values()]).toEqual([...shares.values()].map(() => 10_000));
      }
    }
  });

  it('uses each pool at most once', () => {
    for (const route of find(request(SOL, USDC, 90_000_000_000_000n))) {
      const pools = route.legs.map((leg) => leg.handle.pool.address);
      expect(new Set(pools).size).toBe(pools.length);
    }
  });

  it('uses one pool when only direct routes are requested', () => {
    const routes = find({ ...request(SOL, USDC, 1_000_000_000n), maxHops: 1, maxPaths: 0 });
    expect(routes.length).toBeGreaterThan(0);
    for (const { legs } of routes) expect(legs).toHaveLength(1);
  });

  it('uses no venue that the request does not allow', () => {
    expect(find({ ...request(SOL, USDC, 1_000n), allows: () => false })).toEqual([]);
  });

  it('finds nothing for a mint that no pool trades', () => {
    expect(find(request(market.wallet, USDC, 1_000n))).toEqual([]);
  });

  it('leaves a pool out while it cannot be used', async () => {
    const { network, chain, pools } = await openTestMarket('without programs');
    const { allows: _, ...wanted } = request(SOL, USDC, 20_000_000_000_000n);
    const handles = () =>
      [...findRoutes(pools, wanted)].flatMap(({ legs }) => legs.map(({ handle }) => handle));
    const used = () => handles().map((each) => each.pool.address);
    const pool = handles().find(({ venue }) => venue.label === raydiumCpmm.label)?.pool.address;
    const account = pool === undefined ? null : network.account(pool);
    if (pool === undefined || account === null) throw new Error('no such pool on any route');
    expect(used()).toContain(pool);
    const data = encodePool({ ...decodePool(account.data), authorityBump: 1 });
    network.setAccount(pool, { ...account, data });
    chain.publish([pool]);
    expect(used()).not.toContain(pool);
    network.setAccount(pool, account);
    chain.publish([pool]);
    expect(used()).toContain(pool);
  });
});

const SOL = address('So11111111111111111111111111111111111111112');
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const JTO = address('jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL');
const JITO_SOL = address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');

const market = await openTestMarket('without programs');

function request(inputMint: Address, outputMint: Address, amount: bigint): RouteRequest {
  const clock = market.chain.clock();
  return {
    inputMint,
    outputMint,
    amount,
    clock,
    allows: () => true,
    maxHops: 3,
    maxPaths: 5,
    onlyHubs: false,
  };
}

function find(wanted: RouteRequest): readonly Route[] {
  return [...findRoutes(market.pools, wanted)];
}

/** Every way of one or two pools, by trying them all. */
function bestOfTwo(pools: Pools, { inputMint, outputMint, amount, clock }: RouteRequest): bigint {
  const quote = ({ venue, pool }: PoolHandle, mint: Address, input: bigint): bigint =>
    venue.quoteExactIn(pool, mint, input, clock)?.outAmount ?? 0n;
  let best = 0n;
  for (const [middle, firsts] of pools.counterparts(inputMint)) {
    for (const first of firsts) {
      const between = quote(first, inputMint, amount);
      if (middle === outputMint && between > best) best = between;
      if (middle === outputMint || between === 0n) continue;
      for (const second of pools.between(middle, outputMint)) {
        const out = quote(second, middle, between);
        if (out > best) best = out;
      }
    }
  }
  return best;
}
