import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { estimateReceived } from '../estimate-received.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import type { PoolState } from '../../protocol/venue/venue.ts';
import { type CandidatePath, PART, findCandidatePaths, type RankedPath } from './candidate-paths.ts';
import type { Edge } from './candidate-edges.ts';
import { type CandidateRequest, getCandidateGraph } from './candidate-graph.ts';

/** How often a pool was asked what it pays. */
let estimates = 0;
beforeEach(setUp);

describe('findCandidatePaths', () => {
  it('returns the same paths as an exhaustive search, with fewer estimates', () => {
    let [pruned, whole] = [0, 0];
    const request = { inputMint: IN, outputMint: OUT, maxHops: 3, clock: CLOCK, onlyHubs: false };
    const amounts = fc.constantFrom(10, 1_000, 64_000, 1e6, 1e9);
    assertProperty(
      fc.property(pools, amounts, fc.integer({ min: 1, max: 4 }), (drawn, amount, count) => {
        const liquidity = liquidityOf(drawn);
        // The graph is cached from here on: what follows counts the estimates of the search alone.
        getCandidateGraph(liquidity, request, amount);
        estimates = 0;
        const found = findCandidatePaths(liquidity, request, amount, count);
        pruned += estimates;
        estimates = 0;
        expect(found.map(inShort)).toEqual(
          bestOfAll(everyPath(liquidity, request, amount), count).map(inShort),
        );
        whole += estimates;
      }),
      { cases: 500, seed: SEED, against: 'an exhaustive search' },
    );
    // With no path left out early it would be three quarters: each first hop is then still asked once.
    expect(pruned).toBeLessThan(0.65 * whole);
  });

  it('returns the same where mints withhold a fee with a maximum, so that little pays worse than much', () => {
    const request = { inputMint: IN, outputMint: OUT, maxHops: 3, clock: CLOCK, onlyHubs: false };
    const some = poolsOf([{ weight: 4, arbitrary: deep }, { weight: 1, arbitrary: charged }, few]);
    const amounts = fc.constantFrom(10, 1_000, 64_000, 1e6, 1e9);
    assertProperty(
      fc.property(some, amounts, fc.integer({ min: 1, max: 4 }), (drawn, amount, count) => {
        const liquidity = liquidityOf(drawn);
        const found = findCandidatePaths(liquidity, request, amount, count);
        expect(found.map(inShort)).toEqual(
          bestOfAll(everyPath(liquidity, request, amount), count).map(inShort),
        );
      }),
      { cases: 500, seed: SEED, against: 'an exhaustive search' },
    );
  });

  it('returns the same over the pools of the genesis, for dust and for more than they hold', async () => {
    const { pools, genesis } = await openTestMarket('without programs');
    const mint = fc.constantFrom(...genesis.tokens.map((token) => token.mint));
    const amounts = fc.double({ min: 0, max: 20, noNaN: true }).map((power) => Math.floor(10 ** power));
    assertProperty(
      fc.property(mint, mint, amounts, (inputMint, outputMint, amount) => {
        fc.pre(inputMint !== outputMint);
        const request = { inputMint, outputMint, maxHops: 3, clock: CLOCK, onlyHubs: false };
        const all = everyPath(pools, request, amount);
        const found = findCandidatePaths(pools, request, amount, 8);
        expect(found.map(inShort)).toEqual(bestOfAll(all, 8).map(inShort));
      }),
      { cases: 300, seed: SEED },
    );
  });
});

const SEED = 20_261_121;
const CLOCK = { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n };
/** The two ends, and what paths may go over. */
const MINTS = Array.from({ length: 7 }, (_, index) => toAddress(new Uint8Array(32).fill(index + 1)));
const [IN, OUT] = MINTS as [Address, Address];

function setUp(): void {
  estimates = 0;
}

/** A constant product, whose price is 1 until it is moved. */
interface Deep {
  readonly depth: number;
  readonly kept: number;
}

/** An offer in whole lots, for one price. */
interface InLots {
  readonly lot: number;
  readonly lots: number;
  readonly price: number;
}

/** A constant product of tokens of which each transfer into the pool withholds the same. */
interface Charged extends Deep {
  readonly fee: number;
}

function paysOf(pool: Deep | InLots): (amount: number) => number {
  if ('depth' in pool) return (amount) => (pool.kept * amount * pool.depth) / (pool.depth + amount);
  const { lot, lots, price } = pool;
  return (amount) => (amount > lot * lots ? 0 : Math.floor(amount / lot) * lot * price);
}

function handleOf(mints: readonly [Address, Address], pool: Deep | Charged | InLots): PoolHandle {
  const pays = paysOf(pool);
  const estimate = (_pool: unknown, _inputMint: unknown, amount: number) => {
    estimates++;
    return pays(amount);
  };
  const trading = { label: 'test', program: IN, wholeLots: 'lot' in pool, estimate };
  const refuses = {
    quoteExactIn: () => null,
    quoteExactOut: () => null,
    routeStep: () => {
      throw new Error('a search makes no steps');
    },
  };
  return {
    venue: { ...trading, ...refuses },
    pool: { address: IN, mints, ...('fee' in pool ? { transferFees: bothWays(pool) } : {}) },
  };
}

function bothWays({ fee }: Charged): NonNullable<PoolState['transferFees']> {
  const each = { epoch: 0n, maximumFee: BigInt(fee), basisPoints: 10_000 };
  const authorities = { configAuthority: null, withdrawWithheldAuthority: null };
  const config = { ...authorities, withheldAmount: 0n, older: each, newer: each };
  return [config, config];
}

/** Liquidity in which mints are traded in either direction by the pools that stand for the two. */
function liquidityOf(pools: readonly (readonly [Address, Address, Deep | Charged | InLots])[]): Liquidity {
  const pairs = new Map<Address, Map<Address, PoolHandle[]>>(MINTS.map((mint) => [mint, new Map()]));
  for (const [one, other, pool] of pools) {
    const handle = handleOf([one, other], pool);
    for (const [from, to] of [[one, other] as const, [other, one] as const]) {
      const handles = pairs.get(from)?.get(to) ?? [];
      pairs.get(from)?.set(to, [...handles, handle]);
    }
  }
  const none: Map<Address, PoolHandle[]> = new Map();
  return {
    counterparts: (mint) => pairs.get(mint) ?? none,
    between: (one, other) => pairs.get(one)?.get(other) ?? [],
    hubs: () => new Set(MINTS),
    listing: 1,
  };
}

const deep: fc.Arbitrary<Deep> = fc.record({
  depth: fc.constantFrom(1e4, 1e6, 1e8, 1e10),
  kept: fc.double({ min: 0.9, max: 1, noNaN: true }),
});
const inLots: fc.Arbitrary<InLots> = fc.record({
  lot: fc.constantFrom(1, 100, 10_000),
  lots: fc.integer({ min: 1, max: 1_000 }),
  price: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
});
const charged: fc.Arbitrary<Charged> = fc
  .tuple(deep, fc.constantFrom(1, 50, 5_000))
  .map(([pool, fee]) => ({ ...pool, fee }));
const ends = fc.uniqueArray(fc.constantFrom(...MINTS), { minLength: 2, maxLength: 2 });

function poolsOf(kinds: readonly fc.WeightedArbitrary<Deep | Charged | InLots>[]) {
  const pool = fc.oneof(...kinds);
  return fc.array(
    fc.tuple(ends, pool).map(([mints, drawn]) => [...(mints as [Address, Address]), drawn] as const),
    { maxLength: 60, size: 'max' },
  );
}

const few = { weight: 1, arbitrary: inLots };
const pools = poolsOf([{ weight: 24, arbitrary: deep }, few]);

/** Each path there is, in the order of the graph, with what it is estimated to pay. */
function everyPath(among: Liquidity, request: CandidateRequest, amount: number): readonly RankedPath[] {
  const { direct, over } = getCandidateGraph(among, request, amount);
  const paths: CandidatePath[] = direct === null ? [] : [[direct]];
  for (const { first, last, onward } of over) {
    if (last !== null) paths.push([first, last]);
    for (const each of onward) paths.push([first, each.middle, each.last]);
  }
  return paths.map((path) => ({
    path,
    pays: path.reduce(paidBy, amount),
    paysForPart: path.reduce(paidBy, amount * PART),
  }));
}

function paidBy(amount: number, { handles, inputMint }: Edge): number {
  return Math.max(0, ...handles.map((handle) => estimateReceived(handle, inputMint, amount, CLOCK)));
}

/** What `promisingPaths` promises, by looking at every path. */
function bestOfAll(paths: readonly RankedPath[], count: number): readonly RankedPath[] {
  const best = (rank: (path: RankedPath) => number) =>
    paths
      .filter((path) => path.pays > 0 && rank(path) > 0)
      .toSorted((one, other) => rank(other) - rank(one))
      .slice(0, count);
  const direct = paths.filter(({ path, pays }) => path.length === 1 && pays > 0);
  return [...new Set([...best(({ pays }) => pays), ...best(({ paysForPart }) => paysForPart), ...direct])];
}

/** Without the pools, which would fill pages where two differ. */
function inShort({ path, ...pays }: RankedPath) {
  return { over: path.map(({ outputMint }) => outputMint), ...pays };
}
