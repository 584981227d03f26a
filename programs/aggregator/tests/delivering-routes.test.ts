import { beforeEach, describe, expect, test } from 'vitest';
import { exactOutRoute } from '../../../src/market/aggregator/route-v1.ts';
import type { Liquidity, PoolHandle } from '../../../src/market/pools/liquidity.ts';
import { findDeliveringRoutes } from '../../../src/market/router/delivering-routes.ts';
import type { Route } from '../../../src/market/router/index.ts';
import { createRouteSteps } from '../../../src/market/router/plan.ts';
import { toTrading } from '../../../src/protocol/venue/venue.ts';
import { whirlpool } from '../../../src/protocols/whirlpool/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import { withTransferFee } from '../../raydium-cpmm/tests/fixture.ts';
import { ExactOutWorld, HELD, type Name, NOW } from './exact-out-world.ts';
import { returned } from './route-world.ts';

beforeEach(setUp);

describe('routes for an exact output', () => {
  test('are executed to the atom, whatever is split, the cheapest first', () => {
    const count = routes(world, 50_000_000_000n).length;
    const seen = { pools: 0, paths: 0 };
    for (let at = 0; at < count; at++) {
      for (const [key, one, other, tickSpacing, feeRate] of POOLS)
        world.pool(key, [one, other], { tickSpacing, feeRate });
      const route = routes(world, 50_000_000_000n)[at] as Route;
      expect(execute(world, route, 'c')).toBe(route.inAmount);
      const inputs = new Set(route.legs.map(({ inputIndex }) => inputIndex));
      const ends = route.legs.filter(({ outputMint }) => outputMint === world.tokens.c.mint);
      if (new Set(ends.map(({ inputMint }) => inputMint)).size > 1) seen.paths++;
      else if (route.legs.length > inputs.size) seen.pools++;
    }
    expect(Math.min(seen.pools, seen.paths)).toBeGreaterThan(0);
  });

  test('are split where that is cheaper, and only if they may be', () => {
    const [best] = routes(world, 50_000_000_000n);
    const [single] = routes(world, 50_000_000_000n, 'c', false);
    expect(single?.legs.every(({ bps }) => bps === 10_000)).toBe(true);
    expect(best?.inAmount).toBeLessThan(single?.inAmount ?? 0n);
  });

  test('lead no token with a transfer fee from one pool to another', () => {
    const found = routes(charged, 1_000_000n);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ legs }) => legs.every(({ inputIndex }) => inputIndex === 0))).toBe(true);
    const [direct] = routes(charged, 1_000_000n, 'b');
    expect(direct === undefined ? null : execute(charged, direct, 'b')).toBe(direct?.inAmount);
  });
});

const CLOCK = { slot: 1n, epoch: 5n, unixTimestamp: NOW };
const venue = toTrading(whirlpool) as PoolHandle['venue'];
const world = new ExactOutWorld();
const charged = new ExactOutWorld({ b: [withTransferFee({ basisPoints: 100, maximumFee: 1n << 40n })] });

/** Two ways from a to c: straight, and over b, where each hop has two pools. */
const POOLS: readonly (readonly [string, Name, Name, number, number])[] = [
  ['ac', 'a', 'c', 64, 3000],
  ['ab', 'a', 'b', 64, 500],
  ['ab2', 'a', 'b', 8, 500],
  ['bc', 'b', 'c', 64, 500],
  ['bc2', 'b', 'c', 8, 500],
];

function setUp(): void {
  for (const each of [world, charged]) {
    each.reset();
    for (const [key, one, other, tickSpacing, feeRate] of POOLS)
      each.pool(key, [one, other], { tickSpacing, feeRate });
  }
}

function liquidityOf(on: ExactOutWorld): Liquidity {
  const handles = POOLS.map(([key]): PoolHandle => ({ venue, pool: on.state(key) }));
  const mints = (['a', 'b', 'c'] as const).map((name) => on.tokens[name].mint);
  const others = (mint: Address) => new Set(mints.filter((each) => each !== mint));
  return {
    counterparts: others,
    hubs: () => new Set(mints),
    between: (one, other) =>
      handles.filter(({ pool }) => pool.mints.includes(one) && pool.mints.includes(other)),
  };
}

function routes(on: ExactOutWorld, amount: bigint, to: Name = 'c', splits = true): readonly Route[] {
  const [inputMint, outputMint] = [on.tokens.a.mint, on.tokens[to].mint];
  const request = {
    inputMint,
    outputMint,
    amount,
    clock: CLOCK,
    maxHops: 3,
    onlyHubs: false,
    splits,
  } as const;
  return [...findDeliveringRoutes(liquidityOf(on), request)];
}

/** What a route took, after it delivered exactly its output. */
function execute(on: ExactOutWorld, { legs, inAmount, outAmount }: Route, to: Name): bigint | null {
  on.reset();
  const accounts = new Map(
    (['a', 'b', 'c'] as const).map((name) => [on.tokens[name].mint, on.account('user', name)]),
  );
  const steps = createRouteSteps({ legs }, on.user, accounts).map((step) => ({
    ...step,
    percent: step.bps / 100,
  }));
  const terms = { steps, outAmount, quotedInAmount: inAmount, slippageBps: 0, platformFeeBps: 0 };
  const outcome = on.send(exactOutRoute(terms, on.accounts('a', to)));
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  expect(on.balance('user', to) - HELD).toBe(outAmount);
  if (to !== 'b') expect(on.balance('user', 'b')).toBe(HELD);
  return returned(outcome);
}
