import fc from 'fast-check';
import { withTransferFee } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  ExactOutWorld,
  type Name,
  NOW,
  type Owner,
  type PoolSpec,
  withReadonlyProgram,
} from '../../../programs/aggregator/tests/exact-out-world.ts';
import { AGGREGATOR_PROGRAM } from '../../../src/protocol/venue/aggregator-program.ts';
import * as v1 from '../../../src/market/aggregator/route-v1.ts';
import * as v2 from '../../../src/market/aggregator/route-v2.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import type { Oracle } from '../../../src/protocols/whirlpool/program/oracle.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import type { Extension } from '../../../src/solana/programs/token/extensions.ts';
import { U64_MAX } from '../../../src/solana/units.ts';

const EXACT_OUT_FORMS = ['route v1', 'shared v1', 'route v2', 'shared v2'] as const;

interface StepCase {
  readonly pool: string;
  readonly pair: readonly [Name, Name];
  readonly indices: readonly [number, number];
  readonly percent: number;
  readonly plain: boolean;
  readonly toOther: boolean;
}

type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'account'; readonly at: number; readonly by: `${Owner} ${Name}` | 'user' | 'none' }
  | { readonly kind: 'read-only' | 'cut'; readonly at: number }
  | { readonly kind: 'byte'; readonly at: number; readonly value: number }
  | { readonly kind: 'swapped'; readonly at: number; readonly with: number };

export interface ExactOutCase {
  readonly form: (typeof EXACT_OUT_FORMS)[number];
  readonly extended: Name | null;
  readonly fee: boolean;
  readonly tick: number;
  readonly feeRate: number;
  readonly adaptive: boolean;
  readonly dynamic: boolean;
  readonly outAmount: bigint;
  /** In ten-thousandths of the output. */
  readonly quoted: bigint;
  readonly slippageBps: number;
  readonly feeBps: number;
  readonly feeIn: Name | null;
  readonly positiveBps: number;
  readonly passOn: Owner | null;
  readonly steps: readonly StepCase[];
  readonly change: Change;
}

const POOLS: readonly (readonly [string, Name, Name, number])[] = [
  ['ab', 'a', 'b', 64],
  ['ab2', 'a', 'b', 8],
  ['bc', 'b', 'c', 64],
  ['bc2', 'b', 'c', 16],
  ['ac', 'a', 'c', 64],
];

const often = <T>(weight: number, value: T, rest: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: rest });

const plain = (pool: string, indices: readonly [number, number], percent = 100): StepCase => ({
  pool,
  pair: [pool[0], pool[1]] as unknown as [Name, Name],
  indices,
  percent,
  plain: false,
  toOther: false,
});

const part = fc.constantFrom(1, 20, 33, 50, 67, 99);

const goodSteps: fc.Arbitrary<StepCase[]> = fc.oneof(
  fc.constantFrom('ab', 'ac').map((pool) => [plain(pool, [0, 1])]),
  fc.constant(null).map(() => [plain('ab', [0, 1]), plain('bc', [1, 2])]),
  part.map((x) => [plain('ab', [0, 1], x), plain('ab2', [0, 1], 100 - x)]),
  part.map((x) => [plain('ab', [0, 1], x), plain('ab2', [0, 1], 100 - x), plain('bc', [1, 2])]),
  part.map((x) => [plain('ab', [0, 1]), plain('bc', [1, 2], x), plain('bc2', [1, 2], 100 - x)]),
  part.map((x) => [plain('ab', [0, 1]), plain('bc', [1, 2], x), plain('ac', [0, 2], 100 - x)]),
  part.map((x) => [plain('ac', [0, 2], x), plain('ab', [0, 1]), plain('bc', [1, 2], 100 - x)]),
);

const wildSteps = fc
  .tuple(
    goodSteps,
    fc.nat(),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 4 }),
    fc.nat({ max: 110 }),
  )
  .map(([steps, at, what, index, percent]) =>
    steps.map((step, i) => {
      if (i !== at % steps.length) return step;
      if (what === 0) return { ...step, percent };
      if (what === 1) return { ...step, indices: [index, step.indices[1]] as const };
      if (what === 2) return { ...step, indices: [step.indices[0], index] as const };
      return { ...step, toOther: true };
    }),
  );

const shuffled = goodSteps.chain((steps) => fc.shuffledSubarray(steps, { minLength: 0 }));

const withVariants = (steps: fc.Arbitrary<StepCase[]>) =>
  fc
    .tuple(steps, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
    .map(([list, older]) => list.map((step, i) => ({ ...step, plain: older[i] ?? false })));

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 30, arbitrary: fc.constant({ kind: 'none' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('account' as const),
      at: fc.integer({ min: 0, max: 46 }),
      by: fc.constantFrom<`${Owner} ${Name}` | 'user' | 'none'>(
        'user a',
        'user b',
        'stranger b',
        'program c',
        'user',
        'none',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('read-only' as const, 'cut' as const),
      at: fc.integer({ min: 0, max: 46 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('byte' as const),
      at: fc.integer({ min: 8, max: 60 }),
      value: fc.constantFrom(0, 1, 2, 3, 17, 47, 255),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('swapped' as const),
      at: fc.integer({ min: 10, max: 46 }),
      with: fc.integer({ min: 10, max: 46 }),
    }),
  },
);

const amount = fc.oneof(
  fc.bigInt(0n, 20n),
  { weight: 6, arbitrary: fc.bigInt(1n, 10_000_000n) },
  { weight: 3, arbitrary: fc.bigInt(1n, 300_000_000_000n) },
  fc.constantFrom(U64_MAX, 10n ** 15n),
);

export const exactOutCase: fc.Arbitrary<ExactOutCase> = fc.record({
  form: fc.constantFrom(...EXACT_OUT_FORMS),
  extended: often<Name | null>(3, null, fc.constantFrom<Name>('a', 'b', 'c')),
  fee: fc.boolean(),
  tick: fc.integer({ min: -3000, max: 3000 }),
  feeRate: fc.constantFrom(0, 100, 3000, 60_000),
  adaptive: often(6, false, fc.constant(true)),
  dynamic: fc.boolean(),
  outAmount: amount,
  quoted: fc.oneof(fc.bigInt(9_000n, 12_000n), { weight: 3, arbitrary: fc.bigInt(20_000n, 100_000n) }),
  slippageBps: fc.constantFrom(0, 1, 50, 500, 5000, 10_000, 10_000, 10_001, 65_535),
  feeBps: often(1, 0, fc.constantFrom(1, 1, 50, 50, 100, 100, 255, 9_999, 10_000, 20_000)),
  feeIn: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom<Name>('a', 'a', 'b', 'c') },
    fc.constantFrom<Name | null>('d', null),
  ),
  positiveBps: often(3, 0, fc.constantFrom(1, 100, 10_000, 65_535)),
  passOn: often<Owner | null>(3, null, fc.constantFrom<Owner>('stranger', 'program')),
  steps: withVariants(
    fc.oneof(
      { weight: 8, arbitrary: goodSteps },
      { weight: 2, arbitrary: wildSteps },
      { weight: 1, arbitrary: shuffled },
    ),
  ),
  change,
});

const ORACLE: Omit<Oracle, 'whirlpool'> = {
  tradeEnabledAt: 0n,
  constants: {
    filterPeriod: 30,
    decayPeriod: 600,
    reductionFactor: 500,
    controlFactor: 90_000,
    maxVolatility: 350_000,
    tickGroupSize: 4,
    majorSwapTicks: 64,
  },
  variables: {
    referenceUpdatedAt: NOW - 10n,
    majorSwapAt: NOW - 10n,
    volatilityReference: 100_000,
    tickGroupReference: 3,
    volatility: 200_000,
  },
};

/** What makes the world of a case: its mints. */
export function mintsOf({ extended, fee }: ExactOutCase): string {
  return extended === null ? 'plain' : `${extended} ${fee}`;
}

export function exactOutWorld({ extended, fee }: ExactOutCase, aggregator?: Uint8Array): ExactOutWorld {
  const extensions: Partial<Record<Name, readonly Extension[]>> = {};
  if (extended !== null) {
    extensions[extended] = fee ? [withTransferFee({ basisPoints: 137, maximumFee: 5_000n })] : [];
  }
  return new ExactOutWorld(extensions, aggregator);
}

/** Puts the balances and pools of the case's world, and builds its instruction. Two worlds name all things alike. */
export function prepareExactOut(world: ExactOutWorld, each: ExactOutCase): Instruction {
  world.reset();
  for (const [key, one, other, tickSpacing] of POOLS) {
    if (!each.steps.some(({ pool }) => pool === key)) continue;
    const { tick, feeRate } = each;
    const price = { tick, sqrtPrice: computeSqrtPriceAtTick(tick) };
    const spec: PoolSpec = { ...price, feeRate, tickSpacing, forms: each.dynamic ? 255 : 0 };
    world.pool(key, [one, other], each.adaptive && key === 'ab' ? { ...spec, oracle: ORACLE } : spec);
  }
  return withReadonlyProgram(changed(world, instructionOf(world, each), each.change));
}

function instructionOf(world: ExactOutWorld, each: ExactOutCase): Instruction {
  const shared = each.form.startsWith('shared');
  const owner = shared ? 'program' : 'user';
  const steps = each.steps.map(({ pool, pair, indices, percent, plain: older, toOther }) =>
    world.step(pool, pair, indices, {
      percent,
      owner,
      plain: older,
      ...(toOther ? { toOwner: 'stranger' } : {}),
    }),
  );
  const to = each.steps.at(-1)?.pair[1] ?? 'b';
  const feeAccount = each.feeIn === null ? world.user : world.account('stranger', each.feeIn);
  const quotedInAmount = (each.outAmount * each.quoted) / 10_000n;
  const terms = {
    steps,
    outAmount: each.outAmount,
    quotedInAmount: quotedInAmount > U64_MAX ? U64_MAX : quotedInAmount,
    slippageBps: each.slippageBps,
    platformFeeBps: Math.min(each.feeBps, 255),
    platformFeeAccount: feeAccount,
    platformFee: { bps: each.feeBps, account: feeAccount },
    positiveSlippage: { bps: each.positiveBps, account: world.account('stranger', 'a') },
  };
  const passOn = each.passOn === null ? {} : { destinationTokenAccount: world.account(each.passOn, to) };
  const own = { ...world.accounts('a', to), ...passOn };
  const ofProgram = { ...world.sharedAccounts('a', to), ...passOn };
  switch (each.form) {
    case 'route v1':
      return v1.exactOutRoute(terms, own);
    case 'shared v1':
      return v1.sharedAccountsExactOutRoute(terms, ofProgram);
    case 'route v2':
      return v2.exactOutRouteV2(terms, own);
    case 'shared v2':
      return v2.sharedAccountsExactOutRouteV2(terms, ofProgram);
  }
}

function changed(world: ExactOutWorld, instruction: Instruction, to: Change): Instruction {
  const accounts = [...instruction.accounts];
  const data = Uint8Array.from(instruction.data);
  if (to.kind === 'byte') data[Math.min(to.at, data.length - 1)] = to.value;
  if (to.kind === 'cut') accounts.length = Math.min(to.at, accounts.length);
  const old = 'at' in to ? accounts[to.at] : undefined;
  if (old !== undefined && 'at' in to) {
    if (to.kind === 'account') accounts[to.at] = { ...old, address: named(world, to.by) };
    if (to.kind === 'read-only') accounts[to.at] = readonly(old.address);
    const other = to.kind === 'swapped' ? accounts[to.with] : undefined;
    if (to.kind === 'swapped' && other !== undefined) {
      accounts[to.at] = other;
      accounts[to.with] = old;
    }
  }
  return { ...instruction, accounts, data };
}

function named(world: ExactOutWorld, by: `${Owner} ${Name}` | 'user' | 'none'): Address {
  if (by === 'user') return world.user;
  if (by === 'none') return AGGREGATOR_PROGRAM;
  return world.account(...(by.split(' ') as [Owner, Name]));
}
