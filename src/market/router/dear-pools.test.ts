import { describe, expect, it } from 'vitest';
import type { Quote } from '../../protocol/venue/venue.ts';
import type { DbcBaseFee, DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { encodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import { meteoraDbc } from '../../protocols/meteora-dbc/venue.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { createDbcAccount, createDbcReader } from '../../testing/protocols/dbc-cases.ts';
import { DBC_CASE, DBC_CLOCK, PLAIN_DBC_CONFIG, PLAIN_DBC_POOL } from '../../testing/protocols/dbc-cases.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import { findRoutesExactOut } from './exact-out.ts';
import { findRoutes, type Route, type RouteRequest } from './index.ts';

describe('the pool of a thin token leads its routes', () => {
  it.each([
    ['charge nearly everything for a year', DEAR_FOR_A_YEAR],
    ['charge nearly everything for all but small purchases', DEAR_FOR_LARGE],
  ])('though many launches, with pools beside that pay more for theirs, %s', (_, fee) => {
    const detours = range(20).flatMap((index) => {
      const mint = named(100 + index);
      return [launch(named(150 + index), mint, fee), product(named(200 + index), [mint, TOKEN], SMALL)];
    });
    const liquidity = liquidityOf([...detours, own()]);
    expectOwn(first(liquidity));
    expect(cheapest(liquidity)?.inAmount).toBe(cheapest(liquidityOf([own()]))?.inAmount);
  });

  it('though deeper pools of the pair than a hop has room for charge nearly everything', () => {
    const deep = { curve: [{ sqrtPrice: 1n << 56n, liquidity: 1n << 120n }] };
    const crowd = range(12).map((index) => launch(named(150 + index), TOKEN, DEAR_FOR_A_YEAR, deep));
    const cheap = own([10_000_000_000n, 10_000_000_000_000_000n]);
    const depths = [...crowd, cheap].map(({ venue, pool }) => venue.estimate(pool, USD, 1e30, DBC_CLOCK));
    expect(Math.min(...depths)).toBe(depths.at(-1));
    expectOwn(first(liquidityOf([...crowd, cheap])), cheap);
  });

  it('though other pools are estimated at more than they pay', () => {
    const detours = range(20).flatMap((index) => {
      const mint = named(100 + index);
      const there = product(named(150 + index), [USD, mint], OWN, 10);
      return [there, product(named(200 + index), [mint, TOKEN], HALF)];
    });
    expectOwn(first(liquidityOf([...detours, own()])));
  });
});

it('a launch that charges little by now is routed over', () => {
  const mint = named(100);
  const later = { ...DBC_CLOCK, unixTimestamp: DBC_CLOCK.unixTimestamp + YEAR };
  const liquidity = liquidityOf([
    launch(named(150), mint, DEAR_FOR_A_YEAR),
    product(named(200), [mint, TOKEN], SMALL),
    own(),
  ]);
  const [route] = findRoutes(liquidity, { ...REQUEST, clock: later });
  expect(route?.legs.map(({ handle }) => handle.pool.address)).toContain(named(150));
  expect(route?.outAmount).toBeGreaterThan(first(liquidity)?.outAmount ?? 0n);
});

const { baseMint: TOKEN, quoteMint: USD } = DBC_CASE;
const YEAR = 31_536_000n;
const { baseFee: PLAIN_FEE } = PLAIN_DBC_CONFIG.poolFees;
const DEAR_FOR_A_YEAR: DbcBaseFee = {
  ...PLAIN_FEE,
  cliffFeeNumerator: 990_000_000n,
  firstFactor: 1,
  secondFactor: YEAR,
  thirdFactor: 980_000_000n,
};
const DEAR_FOR_LARGE: DbcBaseFee = {
  ...PLAIN_FEE,
  firstFactor: 9_000,
  secondFactor: 86_400n,
  thirdFactor: 100_000n,
  baseFeeMode: 2,
};
/** The reserves of the token's own pool, of which a purchase moves one percent, and of those beside the launches. */
const OWN = [10_000_000_000n, 1_000_000_000_000n] as const;
const HALF = [1_000_000_000_000n, 500_000_000_000n] as const;
const SMALL = [1_000_000_000_000_000n, 120_000_000_000n] as const;
const REQUEST: RouteRequest = {
  inputMint: USD,
  outputMint: TOKEN,
  amount: 100_000_000n,
  clock: DBC_CLOCK,
  maxHops: 3,
  maxPaths: 5,
  onlyHubs: false,
};

function named(number: number): Address {
  return toAddress(new Uint8Array(32).fill(number));
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function own(reserves: readonly [bigint, bigint] = OWN): PoolHandle {
  return product(named(99), [USD, TOKEN], reserves);
}

function first(liquidity: Liquidity): Route | undefined {
  const [route] = findRoutes(liquidity, REQUEST);
  return route;
}

function cheapest(liquidity: Liquidity): Route | undefined {
  const [route] = findRoutesExactOut(liquidity, { ...REQUEST, amount: 5_000_000_000n });
  return route;
}

function expectOwn(route: Route | undefined, pool = own()): void {
  expect(route?.legs.map(({ handle }) => handle.pool.address)).toEqual([named(99)]);
  expect(route?.outAmount).toBe(first(liquidityOf([pool]))?.outAmount);
}

/** A launch of the mint on a curve, right after its creation. */
function launch(
  address: Address,
  baseMint: Address,
  baseFee: DbcBaseFee,
  changes: Partial<DbcPoolConfig> = {},
): PoolHandle {
  const config = { ...PLAIN_DBC_CONFIG, ...changes, poolFees: { baseFee, dynamicFee: null } };
  const mint = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] };
  const account = createDbcAccount(METEORA_DBC_PROGRAM, encodeDbcPool({ ...PLAIN_DBC_POOL, baseMint }));
  const others = new Map([
    [address, account],
    [baseMint, createDbcAccount(TOKEN_PROGRAM, encodeMint(mint))],
  ]);
  const pool = meteoraDbc.decode(address, createDbcReader({ config, pool: PLAIN_DBC_POOL }, others));
  if ('unusable' in pool) throw new Error(pool.unusable);
  return { venue: meteoraDbc, pool } as unknown as PoolHandle;
}

/** A constant product that charges 0.3 %. Estimates say that it pays so many times as much. */
function product(
  address: Address,
  mints: readonly [Address, Address],
  reserves: readonly [bigint, bigint],
  exaggeration = 1,
): PoolHandle {
  const sides = (inputMint: Address) =>
    inputMint === mints[0] ? reserves : ([reserves[1], reserves[0]] as const);
  const quote = (inputMint: Address, inAmount: bigint, outAmount: bigint): Quote => {
    return { inAmount, outAmount, feeAmount: 0n, feeMint: inputMint };
  };
  const venue = {
    label: 'product',
    program: named(98),
    estimate: (_pool: unknown, inputMint: Address, amount: number) => {
      const [x, y] = sides(inputMint);
      return (exaggeration * Number(y) * amount * 0.997) / (Number(x) + amount * 0.997);
    },
    quoteExactIn: (_pool: unknown, inputMint: Address, amount: bigint) => {
      const [x, y] = sides(inputMint);
      return quote(inputMint, amount, (y * amount * 997n) / (x * 1_000n + amount * 997n));
    },
    quoteExactOut: (_pool: unknown, inputMint: Address, amount: bigint) => {
      const [x, y] = sides(inputMint);
      if (amount >= y) return null;
      return quote(inputMint, (x * amount * 1_000n) / ((y - amount) * 997n) + 1n, amount);
    },
  };
  return { venue, pool: { address, mints } } as unknown as PoolHandle;
}

function liquidityOf(handles: readonly PoolHandle[]): Liquidity {
  const pairs = new Map<Address, Map<Address, PoolHandle[]>>();
  for (const handle of handles) {
    const [one, other] = handle.pool.mints;
    for (const [from, to] of [[one, other] as const, [other, one] as const]) {
      const outputs = pairs.get(from) ?? new Map<Address, PoolHandle[]>();
      outputs.set(to, [...(outputs.get(to) ?? []), handle]);
      pairs.set(from, outputs);
    }
  }
  return {
    counterparts: (mint) => pairs.get(mint) ?? new Map<Address, PoolHandle[]>(),
    between: (one, other) => pairs.get(one)?.get(other) ?? [],
    hubs: () => new Set(pairs.keys()),
    listing: 1,
  };
}
