import { beforeEach, describe, expect, test } from 'vitest';
import { type ExactInTermsV1, route } from '../../../src/market/aggregator/route-v1.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { eventsOf, HOLDING, RouteWorld, returned, SCRIPTED } from './route-world.ts';

let world: RouteWorld;
beforeEach(() => {
  world = new RouteWorld();
});

test('an event follows each step', () => {
  const { a, b, c } = world.users;
  const steps = [
    { step: world.step(a, c), percent: 100, inputIndex: 0, outputIndex: 1 },
    { step: world.step(c, b), percent: 100, inputIndex: 1, outputIndex: 2 },
  ];
  const outcome = world.send(route(terms({ steps }), world.accounts()));
  expect(returned(outcome)).toBe(4_000_000n);
  expect(eventsOf(outcome)).toEqual([
    { ...swap(1_000_000n, 2_000_000n), outputMint: world.mints.c },
    { ...swap(2_000_000n, 4_000_000n), inputMint: world.mints.c },
  ]);
  const program = outcome.inner
    .flat()
    .filter((call) => call.stackHeight === 2)
    .map((call) => call.program);
  expect(program.map((each) => (each === SCRIPTED ? 'step' : 'event'))).toEqual([
    'step',
    'event',
    'step',
    'event',
  ]);
  expect(outcome.logs).toContain('Program log: Instruction: Route');
});

describe('platform fee', () => {
  test('in the output mint is paid after the steps and told', () => {
    const fee = { platformFeeBps: 100, platformFeeAccount: world.strangers.b };
    const outcome = world.send(route(terms(fee), world.accounts()));
    expect(returned(outcome)).toBe(1_980_000n);
    expect(world.balance(world.strangers.b)).toBe(20_000n);
    const told = { kind: 'fee', account: world.strangers.b, mint: world.mints.b, amount: 20_000n };
    expect(eventsOf(outcome)).toEqual([swap(1_000_000n, 2_000_000n), told]);
  });

  test('in the input mint is paid and told before the steps', () => {
    const fee = { platformFeeBps: 100, platformFeeAccount: world.strangers.a };
    const outcome = world.send(route(terms(fee), world.accounts()));
    expect(returned(outcome)).toBe(1_980_000n);
    expect(world.balance(world.users.a)).toBe(HOLDING - 1_000_000n);
    const told = { kind: 'fee', account: world.strangers.a, mint: world.mints.a, amount: 10_000n };
    expect(eventsOf(outcome)).toEqual([told, swap(990_000n, 1_980_000n)]);
  });

  test('that floors to nothing is told all the same', () => {
    const fee = { inAmount: 3n, platformFeeBps: 1, platformFeeAccount: world.strangers.b };
    const events = eventsOf(world.send(route(terms(fee), world.accounts())));
    expect(events[1]).toMatchObject({ kind: 'fee', amount: 0n });
  });

  test('of 0 bps does not look at its account', () => {
    const outcome = world.send(route(terms({ platformFeeAccount: world.stranger }), world.accounts()));
    expect(eventsOf(outcome)).toEqual([swap(1_000_000n, 2_000_000n)]);
  });

  test('without an account is refused', () => {
    expect(world.send(route(terms({ platformFeeBps: 1 }), world.accounts())).error?.custom).toBe(6025);
  });

  test('in a token of Token-2022 is refused: this form knows no mint of the source', () => {
    const mint = world.newMint(TOKEN_2022_PROGRAM);
    const of = (owner: typeof world.user) => world.newTokenAccount(mint, owner, HOLDING, TOKEN_2022_PROGRAM);
    const source = of(world.user);
    const steps = [{ step: world.step(source, world.users.b), percent: 100, inputIndex: 0, outputIndex: 1 }];
    const fee = { platformFeeBps: 100, platformFeeAccount: of(world.stranger), steps };
    const accounts = world.accounts({ userSourceTokenAccount: source, tokenProgram: TOKEN_2022_PROGRAM });
    expect(world.send(route(terms(fee), accounts)).error?.custom).toBe(6014);
  });
});

test('a destination account of its own receives the net output', () => {
  const third = world.newTokenAccount(world.mints.b, world.stranger);
  const outcome = world.send(route(terms(), world.accounts({ destinationTokenAccount: third })));
  expect(outcome.error).toBeNull();
  expect(world.balance(third)).toBe(2_000_000n);
});

describe('refusals', () => {
  test('below the quote', () => {
    const outcome = world.send(route(terms({ quotedOutAmount: 2_000_001n }), world.accounts()));
    expect(outcome.error?.custom).toBe(6001);
  });

  test('a declared destination mint that is another', () => {
    expect(world.send(route(terms(), world.accounts({ destinationMint: world.mints.c }))).error?.custom).toBe(
      6019,
    );
  });

  test('a source that holds too little', () => {
    expect(world.send(route(terms({ inAmount: HOLDING + 1n }), world.accounts())).error?.custom).toBe(6024);
  });

  test.each(['userSourceTokenAccount', 'userDestinationTokenAccount'] as const)(
    '%s is no token account',
    (name) => {
      expect(world.send(route(terms(), world.accounts({ [name]: world.stranger }))).error?.custom).toBe(6025);
    },
  );

  test('an empty plan', () => {
    expect(world.send(route(terms({ steps: [] }), world.accounts())).error?.custom).toBe(6010);
  });
});

/** Returns the terms of a route of 1,000,000 through one step that pays twice its input. */
function terms(change: Partial<ExactInTermsV1> = {}): ExactInTermsV1 {
  const step = world.step(world.users.a, world.users.b);
  return {
    inAmount: 1_000_000n,
    quotedOutAmount: 1n,
    slippageBps: 0,
    platformFeeBps: 0,
    steps: [{ step, percent: 100, inputIndex: 0, outputIndex: 1 }],
    ...change,
  };
}

const swap = (inputAmount: bigint, outputAmount: bigint) => ({
  kind: 'swap',
  amm: SCRIPTED,
  inputMint: world.mints.a,
  inputAmount,
  outputMint: world.mints.b,
  outputAmount,
});
