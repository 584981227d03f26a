import fc from 'fast-check';
import { U64_MAX } from '../../../src/solana/units.ts';

/** Names of the accounts in a `RouteWorld`: whose, and of which token. */
const ACCOUNTS = ['user a', 'user b', 'user c', 'program a', 'program b', 'program c'] as const;
const OTHERS = ['stranger a', 'stranger b', 'stranger c', 'second b', 'stranger', 'none'] as const;
export type AccountName = (typeof ACCOUNTS)[number] | (typeof OTHERS)[number];

const FORMS = ['route v2', 'shared v2', 'route v1', 'shared v1', 'ledger v1', 'shared ledger v1'] as const;
export type Form = (typeof FORMS)[number];

export interface StepCase {
  readonly from: AccountName;
  readonly to: AccountName;
  readonly share: number;
  readonly inputIndex: number;
  readonly outputIndex: number;
  readonly most: bigint;
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly behaviour: 'swap' | 'idle' | 'fail';
}

/** One thing that is done to the finished instruction. */
export type Mutation =
  | { readonly kind: 'none' }
  | { readonly kind: 'account'; readonly at: number; readonly by: AccountName }
  | { readonly kind: 'read-only'; readonly at: number }
  | { readonly kind: 'not signing'; readonly at: number }
  | { readonly kind: 'fewer accounts'; readonly count: number }
  | { readonly kind: 'less data'; readonly count: number }
  | { readonly kind: 'byte'; readonly at: number; readonly value: number };

export interface RouteCase {
  readonly form: Form;
  readonly steps: readonly StepCase[];
  readonly inAmount: bigint;
  /** What came into the source since the ledger was set; negative: went out. */
  readonly arrived: bigint;
  readonly quotedOutAmount: bigint;
  readonly slippageBps: number;
  readonly feeBps: number;
  readonly feeAccount: AccountName;
  readonly positiveBps: number;
  readonly positiveAccount: AccountName;
  readonly passOnTo: AccountName;
  readonly mutation: Mutation;
}

const often = <T>(weight: number, value: T, rest: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: rest });

const anyAccount = fc.constantFrom<AccountName>(...ACCOUNTS, ...OTHERS.slice(0, 5));

const shares = fc.constantFrom(
  0,
  1,
  100,
  2500,
  3300,
  3333,
  5000,
  6667,
  6700,
  7500,
  9900,
  9999,
  10_000,
  10_001,
  65_535,
);

/** From the first token to the second, straight or over the third, in one to three branches each. */
const goodPlan = (owner: 'user' | 'program'): fc.Arbitrary<StepCase[]> => {
  const leg = (from: 'a' | 'b' | 'c', to: 'a' | 'b' | 'c', inputIndex: number, outputIndex: number) =>
    fc
      .constantFrom(
        [10_000],
        [5000, 5000],
        [3333, 6667],
        [2500, 7500],
        [100, 9900],
        [2500, 2500, 5000],
        [4000],
      )
      .chain((parts) =>
        fc.tuple(
          ...parts.map((share) =>
            venue.map((script) => ({
              from: `${owner} ${from}` as const,
              to: `${owner} ${to}` as const,
              share,
              inputIndex,
              outputIndex,
              ...script,
            })),
          ),
        ),
      );
  return fc.oneof(
    leg('a', 'b', 0, 1),
    fc.tuple(leg('a', 'c', 0, 1), leg('c', 'b', 1, 2)).map(([first, second]) => [...first, ...second]),
    fc
      .tuple(leg('a', 'c', 0, 1), leg('c', 'b', 1, 2), leg('a', 'b', 0, 2))
      .map(([first, second, third]) => [...first, ...second, ...third]),
  );
};

const amount = fc.oneof(
  fc.bigInt(0n, 20n),
  fc.bigInt(0n, 2_000_000n),
  fc.bigInt(0n, 1_000_000_000n),
  fc.bigInt(0n, 1_000_000_000n),
  fc.constantFrom(1_000_000_000n, 1_000_000_000n, 1_000_000_001n, U64_MAX),
);

const venue = fc.record({
  most: often(8, U64_MAX, fc.bigInt(0n, 1_000_000n)),
  numerator: often(2, 2_000_000n, fc.bigInt(0n, 3_000_000n)),
  denominator: often(6, 1_000_000n, fc.bigInt(1n, 1_000_000n)),
  behaviour: fc.oneof(
    { weight: 60, arbitrary: fc.constant('swap' as const) },
    { weight: 1, arbitrary: fc.constantFrom('idle' as const, 'fail' as const) },
  ),
});

const wildStep = fc
  .record({
    from: anyAccount,
    to: anyAccount,
    share: shares,
    inputIndex: fc.integer({ min: 0, max: 4 }),
    outputIndex: fc.integer({ min: 0, max: 4 }),
  })
  .chain((step) => venue.map((script) => ({ ...step, ...script })));

/** A good plan with one field of one step changed. */
const bentPlan = (owner: 'user' | 'program') =>
  fc
    .tuple(
      goodPlan(owner),
      fc.nat(),
      wildStep,
      fc.constantFrom('from', 'to', 'share', 'inputIndex', 'outputIndex'),
    )
    .map(([plan, at, wild, field]) =>
      plan.map((step, index) =>
        index === at % plan.length ? { ...step, [field]: wild[field as keyof StepCase] } : step,
      ),
    );

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 40, arbitrary: fc.constant({ kind: 'none' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('account' as const),
      at: fc.integer({ min: 0, max: 24 }),
      by: anyAccount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('read-only' as const), at: fc.integer({ min: 0, max: 24 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('not signing' as const), at: fc.integer({ min: 0, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fewer accounts' as const),
      count: fc.integer({ min: 0, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('less data' as const), count: fc.integer({ min: 0, max: 60 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('byte' as const),
      at: fc.integer({ min: 0, max: 60 }),
      value: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 2, 255)),
    }),
  },
);

/** Quotes near what such plans pay, so that the threshold matters; `wild` cases are refused more often than not. */
export const routeCase: fc.Arbitrary<RouteCase> = fc.constantFrom<Form>(...FORMS).chain((form) => {
  const owner = form.startsWith('shared') ? 'program' : 'user';
  return fc.record({
    form: fc.constant(form),
    steps: fc.oneof(
      { weight: 6, arbitrary: goodPlan(owner) },
      { weight: 3, arbitrary: bentPlan(owner) },
      { weight: 1, arbitrary: fc.array(wildStep, { maxLength: 4 }) },
    ),
    inAmount: amount,
    arrived: fc.oneof({ weight: 5, arbitrary: amount.map((each) => each % 900_000_000n) }, fc.constant(-1n)),
    quotedOutAmount: fc.oneof(
      fc.constant(0n),
      amount,
      amount.map((each) => (each * 2n) % (U64_MAX + 1n)),
    ),
    slippageBps: often(2, 10_000, fc.constantFrom(0, 1, 50, 5000, 9000, 9999, 10_001, 65_535)),
    feeBps: often(1, 0, fc.constantFrom(1, 50, 50, 100, 100, 255, 10_000, 10_001, 65_535)),
    feeAccount: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<AccountName>('stranger a', 'stranger b') },
      { weight: 1, arbitrary: fc.constantFrom<AccountName>('stranger c', 'stranger', 'user b', 'none') },
    ),
    positiveBps: often(2, 0, fc.constantFrom(1, 100, 500, 10_000, 65_535)),
    positiveAccount: often<AccountName>(
      5,
      'stranger b',
      fc.constantFrom('stranger a', 'second b', 'stranger'),
    ),
    passOnTo: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<AccountName>('none', 'user b', 'stranger b', 'second b') },
      { weight: 1, arbitrary: fc.constantFrom<AccountName>('stranger c', 'stranger') },
    ),
    mutation,
  });
});
