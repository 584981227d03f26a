import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import * as v1 from '../../../src/market/aggregator/route-v1.ts';
import * as v2 from '../../../src/market/aggregator/route-v2.ts';
import {
  type SimulatedRoute,
  type SimulatedTerms,
  simulateRoute,
} from '../../../src/market/aggregator/simulate-route.ts';
import { raydiumCpmm } from '../../../src/protocols/raydium-cpmm/venue.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { EPOCH, type Leg, LEGS, NOW, POOLS_PER_LEG, type PoolSpec, PoolWorld } from './pool-world.ts';
import { AUTHORITY_ID, eventsOf, returned } from './route-world.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';

it('pays what the simulation says, to the atom, and refuses what it refuses', async () => {
  const cases = sampleCases(quoteCase, SUITE);
  const world = new PoolWorld();
  const differences: string[] = [];
  const count = { paid: 0, refused: 0, swaps: 0 };
  for (const [index, each] of cases.entries()) {
    if (index % 100 === 0) await yieldToOtherWork();
    const { simulated, outcome } = run(world, each);
    if (simulated.pays === undefined) count.refused++;
    else {
      count.paid++;
      count.swaps += simulated.pays.steps.length;
    }
    const different = differenceOf(world, each, simulated, outcome);
    if (different !== null) differences.push(`case ${index}: ${different}\n${describeCase(each)}`);
  }
  process.stdout.write(
    `routes over constant-product pools: ${cases.length} (${count.paid} paid with ${count.swaps} swaps, ` +
      `${count.refused} refused), ${differences.length} different\n`,
  );
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 3)).toEqual([]);
  expect(count.paid).toBeGreaterThan(cases.length / 4);
  expect(count.refused).toBeGreaterThan(cases.length / 20);
});

const SEED = 20_261_123;
const SUITE = { cases: 4_000, short: 200, seed: SEED, against: 'the program' };

type Form = 'route_v2' | 'route' | 'shared_accounts_route_v2';

interface Branch {
  readonly leg: Leg;
  /** The pool of its leg. No pool is used twice, so each is quoted in its state before the route. */
  readonly pool: number;
  readonly bps: number;
}

interface QuoteCase {
  readonly form: Form;
  readonly branches: readonly Branch[];
  readonly pools: Readonly<Record<Leg, readonly PoolSpec[]>>;
  readonly transferFeeBps: number;
  readonly inAmount: bigint;
  readonly fee: { readonly bps: number; readonly side: 'input' | 'output' } | null;
  readonly positiveBps: number;
  /**
   * The route's quoted amount relative to what the route pays: none, the exact amount, an atom above or below, or a
   * fraction.
   */
  readonly quote: 'none' | 'exact' | 'above' | 'below' | 'half' | 'limit' | 'beyond limit';
  readonly slippageBps: number;
}

/** Small and large numbers are equally frequent, because rounding errors show in small numbers. */
const upTo = (bits: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.bigInt(1n, (1n << BigInt(bits)) - 1n))
    .map(([shift, value]) => (value >> BigInt(shift)) + 1n);

const pool: fc.Arbitrary<PoolSpec> = fc.record({
  reserves: fc.oneof(
    { weight: 1, arbitrary: fc.tuple(upTo(56), upTo(56)) },
    { weight: 8, arbitrary: fc.tuple(fc.bigInt(1n << 30n, 1n << 50n), fc.bigInt(1n << 40n, 1n << 56n)) },
  ),
  tradeFeeRate: fc.constantFrom(0n, 100n, 2500n, 10_000n, 100_000n),
  protocolFeeRate: fc.constantFrom(0n, 120_000n),
  creatorFeeRate: fc.constantFrom(0n, 0n, 500n),
  swapsOff: fc.integer({ min: 0, max: 300 }).map((each) => each === 0),
});

/** Most splits add up to the whole. One leaves a rest, and one exceeds the whole. */
const splits = fc.constantFrom(
  [10_000],
  [10_000],
  [10_000],
  [5000, 5000],
  [5000, 5000],
  [2500, 7500],
  [1400, 8600],
  [5000, 2500, 2500],
  [3300, 6700],
  [100, 2500, 7400],
  [3300, 3300, 3400],
  [4000, 3000],
  [6000, 4100],
);

const branchesOf = (leg: Leg) =>
  splits.map((parts) => parts.map((bps, index) => ({ leg, pool: index, bps })));

/** Directly, over c, or both. In the last case the direct branch has the share that the legs over c leave. */
const branches: fc.Arbitrary<readonly Branch[]> = fc.oneof(
  branchesOf('ab'),
  fc.tuple(branchesOf('ac'), branchesOf('cb')).map((legs) => legs.flat()),
  fc
    .tuple(branchesOf('ab'), branchesOf('cb'), fc.constantFrom(100, 2500, 5000, 9900), fc.boolean())
    .map(([straight, second, bps, first]) => {
      const over = [{ leg: 'ac' as const, pool: 0, bps }, ...second];
      const rest = straight.map((each) => ({ ...each, bps: ((10_000 - bps) * each.bps) / 10_000 }));
      const rounded = rest.map((each) => ({ ...each, bps: Math.floor(each.bps / 100) * 100 }));
      return first ? [...over, ...rounded] : [...rounded, ...over];
    }),
);

const three = fc.array(pool, { minLength: POOLS_PER_LEG, maxLength: POOLS_PER_LEG });

const quoteCase: fc.Arbitrary<QuoteCase> = fc.record({
  form: fc.constantFrom<Form>('route_v2', 'route', 'shared_accounts_route_v2'),
  branches,
  pools: fc.record({ ab: three, ac: three, cb: three }),
  transferFeeBps: fc.constantFrom(0, 0, 1, 100, 2500),
  inAmount: fc.oneof(
    { weight: 1, arbitrary: upTo(50) },
    { weight: 4, arbitrary: fc.bigInt(1_000_000n, 1n << 40n) },
  ),
  fee: fc.option(
    fc.record({
      bps: fc.constantFrom(1, 50, 85, 100, 255),
      side: fc.constantFrom<'input' | 'output'>('input', 'output'),
    }),
  ),
  positiveBps: fc.constantFrom(0, 0, 1, 100, 500, 5000),
  quote: fc.constantFrom('none', 'none', 'exact', 'above', 'below', 'half', 'limit', 'beyond limit'),
  slippageBps: fc.constantFrom(0, 1, 50, 3333, 10_000),
});

function run(world: PoolWorld, each: QuoteCase): { simulated: SimulatedRoute; outcome: TestOutcome } {
  world.reset(each.inAmount, each.transferFeeBps);
  const states = Object.fromEntries(
    LEGS.map((leg) => [leg, each.pools[leg].map((spec, index) => world.writePool(leg, index, spec))]),
  ) as Record<Leg, ReturnType<PoolWorld['writePool']>[]>;
  const clock = { slot: 0n, epoch: EPOCH, unixTimestamp: NOW };
  const plan = each.branches.map(({ leg, bps }) => ({ bps, ...PLACES[leg] }));
  const simulate = (terms: SimulatedTerms) =>
    simulateRoute(plan, terms, (index, amount) => {
      const branch = each.branches[index];
      const state = branch === undefined ? null : states[branch.leg][branch.pool];
      if (branch === undefined || !state) return null;
      return raydiumCpmm.quoteExactIn(state, world.tokens[branch.leg[0] as 'a' | 'c'].mint, amount, clock);
    });
  const open = termsOf(each, 0n);
  const paid = simulate({ ...open, positiveSlippageBps: 0 }).pays?.net ?? 0n;
  const terms = termsOf(each, quoteOf(each, paid));
  return { simulated: simulate(terms), outcome: world.network.send([build(world, each, terms)]) };
}

/** Index 2 is the destination, also in plans without c. */
const PLACES: Readonly<Record<Leg, { readonly inputIndex: number; readonly outputIndex: number }>> = {
  ab: { inputIndex: 0, outputIndex: 1 },
  ac: { inputIndex: 0, outputIndex: 2 },
  cb: { inputIndex: 2, outputIndex: 1 },
};

function termsOf(each: QuoteCase, quotedOutAmount: bigint): SimulatedTerms {
  const { inAmount, slippageBps, fee, positiveBps } = each;
  return {
    inAmount,
    quotedOutAmount,
    slippageBps,
    ...(fee === null ? {} : { platformFee: fee }),
    positiveSlippageBps: each.form === 'route' ? 0 : positiveBps,
  };
}

function quoteOf({ quote, slippageBps }: QuoteCase, paid: bigint): bigint {
  const limit = slippageBps === 10_000 ? paid : (paid * 10_000n) / BigInt(10_000 - slippageBps);
  const quotes = {
    none: 0n,
    exact: paid,
    above: paid + 1n,
    below: paid > 0n ? paid - 1n : 0n,
    half: paid / 2n,
    limit,
    'beyond limit': limit + 1n,
  };
  return quotes[quote];
}

function build(world: PoolWorld, each: QuoteCase, terms: SimulatedTerms): Instruction {
  const shared = each.form === 'shared_accounts_route_v2';
  const [authority, own] = shared ? [world.authority, world.programs] : [world.user, world.users];
  const steps = each.branches.map(({ leg, pool: index, bps }) => {
    const [from, to] = [...leg] as ['a' | 'c', 'b' | 'c'];
    const parties = { authority, source: own[from], destination: own[to] };
    return { step: world.step(leg, index, parties), bps, percent: bps / 100, ...PLACES[leg] };
  });
  const feeAccount = each.fee === null ? null : world.feeAccounts[each.fee.side === 'input' ? 'a' : 'b'];
  const { inAmount, quotedOutAmount, slippageBps } = terms;
  const common = { inAmount, quotedOutAmount, slippageBps, steps };
  const mints = {
    userTransferAuthority: world.user,
    sourceMint: world.tokens.a.mint,
    destinationMint: world.tokens.b.mint,
    sourceTokenProgram: TOKEN_PROGRAM,
    destinationTokenProgram: TOKEN_PROGRAM,
    tokenProgram: TOKEN_PROGRAM,
  };
  const user = { userSourceTokenAccount: world.users.a, userDestinationTokenAccount: world.users.b };
  if (each.form === 'route') {
    const fee = feeAccount === null ? {} : { platformFeeAccount: feeAccount };
    return v1.route({ ...common, ...fee, platformFeeBps: each.fee?.bps ?? 0 }, { ...mints, ...user });
  }
  const extended = {
    ...common,
    ...(feeAccount === null ? {} : { platformFee: { bps: each.fee?.bps ?? 0, account: feeAccount } }),
    positiveSlippage: { bps: each.positiveBps, account: world.feeAccounts.b },
  };
  if (!shared) return v2.routeV2(extended, { ...mints, ...user });
  return v2.sharedAccountsRouteV2(extended, {
    ...mints,
    authorityId: AUTHORITY_ID,
    sourceTokenAccount: world.users.a,
    programSourceTokenAccount: world.programs.a,
    programDestinationTokenAccount: world.programs.b,
    destinationTokenAccount: world.users.b,
  });
}

function differenceOf(
  world: PoolWorld,
  each: QuoteCase,
  simulated: SimulatedRoute,
  outcome: TestOutcome,
): string | null {
  const { pays, refused } = simulated;
  if (refused !== undefined) {
    const { error } = outcome;
    if (error === null) return `paid ${returned(outcome)}, simulated a refusal ${JSON.stringify(refused)}`;
    if (refused.code !== null) return show(error.custom, refused.code);
    const calls = outcome.inner.flat().filter((call) => call.program === RAYDIUM_CPMM_PROGRAM).length;
    return show(calls, (refused.step ?? 0) + 1, 'steps');
  }
  if (outcome.error !== null) return `refused with ${JSON.stringify(outcome.error)}, simulated ${pays.net}`;
  const balance = (address: Parameters<PoolWorld['network']['tokenBalance']>[0]) =>
    world.network.tokenBalance(address);
  const feeSide = each.fee?.side ?? null;
  const fromSource = pays.steps.reduce(
    (sum, step, i) => (each.branches[i]?.leg[0] === 'a' ? sum + step.spentAmount : sum),
    0n,
  );
  // The input that the shared form does not spend stays in the program's account, in addition to the 5 atoms that it
  // held.
  const unspent = each.form === 'shared_accounts_route_v2' ? balance(world.programs.a) - 5n : 0n;
  return (
    show(returned(outcome), pays.net, 'return value') ??
    show(
      swapsIn(outcome),
      pays.steps.map(({ inputAmount, outputAmount }) => [inputAmount, outputAmount]),
      'events',
    ) ??
    show(balance(world.users.b), pays.net + 7n, 'destination') ??
    show(
      each.inAmount - balance(world.users.a) - unspent,
      fromSource + (feeSide === 'input' ? pays.platformFee : 0n),
      'source',
    ) ??
    show(balance(world.feeAccounts.a), feeSide === 'input' ? pays.platformFee : 0n, 'input fee') ??
    show(
      balance(world.feeAccounts.b),
      (feeSide === 'output' ? pays.platformFee : 0n) + pays.positiveSlippage,
      'output fee',
    )
  );
}

function swapsIn(outcome: TestOutcome): bigint[][] {
  return eventsOf(outcome).flatMap((event) => {
    if (event.kind === 'fee') return [];
    const swaps = event.kind === 'swaps' ? event.swaps : [event];
    return swaps.map(({ inputAmount, outputAmount }) => [inputAmount, outputAmount]);
  });
}

/** Returns null if both are the same. */
function show(found: unknown, expected: unknown, what = 'error'): string | null {
  const [left, right] = [describeCase(found), describeCase(expected)];
  return left === right ? null : `${what} ${left}, simulated ${right}`;
}

function describeCase(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? 'nothing';
}
