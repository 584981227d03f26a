import { describe, expect, test } from 'vitest';
import { type ExactInTerms, routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import {
  eventsOf,
  HOLDING,
  RouteWorld,
  returned,
  SCRIPTED,
  transfersOf,
  unitsBesides,
} from './route-world.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const world = openForEach(() => new RouteWorld());

describe('one step', () => {
  test('moves the tokens, returns what came out, and tells it in one event', () => {
    const outcome = world.send(
      routeV2(oneStep(1_994_998n, { quotedOutAmount: 1_994_998n }), world.accounts()),
    );
    expect(outcome.error).toBeNull();
    expect(world.balance(world.users.a)).toBe(HOLDING - 1_000_000n);
    expect(world.balance(world.users.b)).toBe(HOLDING + 1_994_998n);
    expect(returned(outcome)).toBe(1_994_998n);
    const swap = {
      inputMint: world.mints.a,
      inputAmount: 1_000_000n,
      outputMint: world.mints.b,
      outputAmount: 1_994_998n,
    };
    expect(eventsOf(outcome)).toEqual([{ kind: 'swaps', swaps: [swap] }]);
    expect(outcome.logs).toContain('Program log: Instruction: RouteV2');
  });

  test('costs no more compute than the public program, without the venues', () => {
    const { a, b, c } = world.users;
    const steps = [
      { step: world.step(a, c), bps: 10_000, inputIndex: 0, outputIndex: 1 },
      { step: world.step(c, b), bps: 10_000, inputIndex: 1, outputIndex: 2 },
    ];
    const one = world.send(routeV2(oneStep(2_000_000n, { quotedOutAmount: 1n }), world.accounts()));
    const two = world.send(routeV2(oneStep(0n, { quotedOutAmount: 1n, steps }), world.accounts()));
    expect(unitsBesides(SCRIPTED, one)).toBeLessThanOrEqual(5328);
    expect(unitsBesides(SCRIPTED, two)).toBeLessThanOrEqual(7675);
  });

  test('ignores bytes behind the arguments and accounts behind the last step', () => {
    const { data, accounts, ...rest } = routeV2(oneStep(2_000_000n), world.accounts());
    const tagged = {
      ...rest,
      data: Buffer.concat([data, Buffer.of(1, 2, 3)]),
      accounts: [...accounts, ...accounts],
    };
    expect(world.send(tagged).error).toBeNull();
  });
});

describe('threshold', () => {
  test.each([
    [2_005_023n, 50, null],
    [2_005_024n, 50, 6001],
    [1_994_998n, 0, null],
    [1_994_999n, 0, 6001],
    [18_446_744_073_709_551_615n, 10_000, null],
    [1n, 10_001, 6002],
    [0n, 65_535, null],
  ])('a quote of %d with slippage of %d bps: %s', (quotedOutAmount, slippageBps, code) => {
    const terms = oneStep(1_994_998n, { quotedOutAmount, slippageBps });
    const outcome = world.send(routeV2(terms, world.accounts()));
    expect(outcome.error?.custom ?? null).toBe(code);
    if (code !== null) expect(world.balance(world.users.b)).toBe(HOLDING);
  });
});

test.each([
  [1n, 1, null],
  [7n, 9000, null],
  [10_000n, 9999, 6001],
  [3n, 5000, 6001],
])(
  'a threshold below one atom asks for nothing: a quote of %d with %d bps, %s',
  (quotedOutAmount, slippageBps, code) => {
    const terms = oneStep(0n, { quotedOutAmount, slippageBps });
    expect(world.send(routeV2(terms, world.accounts())).error?.custom ?? null).toBe(code);
  },
);

describe('platform fee', () => {
  test('in the output mint is taken of what came out and counts against the quote', () => {
    const platformFee = { bps: 100, account: world.strangers.b };
    const passes = oneStep(1_994_998n, { platformFee, quotedOutAmount: 1_975_049n });
    const fails = oneStep(1_994_998n, { platformFee, quotedOutAmount: 1_975_050n });
    expect(world.network.simulate([routeV2(fails, world.accounts())]).error?.custom).toBe(6001);
    const outcome = world.send(routeV2(passes, world.accounts()));
    expect(returned(outcome)).toBe(1_975_049n);
    expect(world.balance(world.strangers.b)).toBe(19_949n);
    expect(world.balance(world.users.b)).toBe(HOLDING + 1_975_049n);
    expect(eventsOf(outcome).map((event) => event.kind)).toEqual(['swaps']);
  });

  test('in the input mint is taken of the input, and paid after the steps', () => {
    const platformFee = { bps: 100, account: world.strangers.a };
    const terms = oneStep(1_994_998n, { platformFee, quotedOutAmount: 1_975_000n, slippageBps: 50 });
    const outcome = world.send(routeV2(terms, world.accounts()));
    expect(returned(outcome)).toBe(1_975_048n);
    expect(world.balance(world.strangers.a)).toBe(10_000n);
    expect(world.balance(world.users.a)).toBe(HOLDING - 1_000_000n);
    const last = outcome.inner
      .flat()
      .filter((call) => call.stackHeight === 2)
      .at(-1);
    expect(last?.accounts).toEqual([world.users.a, world.strangers.a, world.user]);
  });

  test('of a whole 10000 bps pays everything and returns 0', () => {
    const platformFee = { bps: 10_000, account: world.strangers.b };
    const outcome = world.send(routeV2(oneStep(2_000_000n, { platformFee }), world.accounts()));
    expect(returned(outcome)).toBe(0n);
    expect(world.balance(world.strangers.b)).toBe(2_000_000n);
  });

  test('that floors to nothing is not transferred', () => {
    const platformFee = { bps: 1, account: world.strangers.b };
    const outcome = world.send(
      routeV2(oneStep(9_999n, { platformFee, inAmount: 1_000_000n }), world.accounts()),
    );
    expect(outcome.error).toBeNull();
    expect(transfersOf(outcome)).toEqual([]);
  });

  test.each([
    ['a third mint fails in the token program', 'c', 100, { custom: 3 }],
    ['more than the whole output', 'b', 10_001, { custom: 6002 }],
    ['more than the destination holds fails in the token program', 'b', 65_535, { custom: 1 }],
    ['more than the whole input', 'a', 10_001, { custom: 6002 }],
  ] as const)('of %s', (_, side, bps, error) => {
    const platformFee = { bps, account: world.strangers[side] };
    world.setTokenAccount(world.users.b, world.mints.b, world.user, 500n);
    const outcome = world.send(routeV2(oneStep(2_000_000n, { platformFee }), world.accounts()));
    expect(outcome.error).toMatchObject(error);
  });

  test.each(['stranger', 'user'] as const)('needs a token account: the %s is none', (who) => {
    const platformFee = { bps: 1, account: world[who] };
    const outcome = world.send(routeV2(oneStep(2_000_000n, { platformFee }), world.accounts()));
    expect(outcome.error?.custom).toBe(6025);
  });
});

describe('positive slippage', () => {
  test.each([
    [1, 199n],
    [100, 19_752n],
    [499, 94_818n],
    [500, 94_998n],
    [10_000, 94_998n],
    [65_535, 94_998n],
  ])('of %d bps takes %d of an excess of 94,998', (bps, taken) => {
    const positiveSlippage = { bps, account: world.strangers.b };
    const terms = oneStep(1_994_998n, { positiveSlippage, quotedOutAmount: 1_900_000n });
    const outcome = world.send(routeV2(terms, world.accounts()));
    expect(returned(outcome)).toBe(1_994_998n - taken);
    expect(world.balance(world.strangers.b)).toBe(taken);
    expect(world.balance(world.users.b)).toBe(HOLDING + 1_994_998n - taken);
  });

  test('takes nothing, and does not look at the account, without an excess', () => {
    const positiveSlippage = { bps: 100, account: world.stranger };
    const terms = oneStep(1_994_998n, { positiveSlippage, quotedOutAmount: 1_994_998n });
    expect(returned(world.send(routeV2(terms, world.accounts())))).toBe(1_994_998n);
  });

  test('is of what the platform fee left, and its account comes second', () => {
    const other = world.newTokenAccount(world.mints.b, world.stranger);
    const terms = oneStep(2_000_000n, {
      platformFee: { bps: 100, account: world.strangers.b },
      positiveSlippage: { bps: 100, account: other },
      quotedOutAmount: 1_900_000n,
    });
    expect(returned(world.send(routeV2(terms, world.accounts())))).toBe(1_960_397n);
    expect(world.balance(world.strangers.b)).toBe(20_000n);
    expect(world.balance(other)).toBe(19_603n);
  });

  test('into an account of another mint fails in the token program', () => {
    const positiveSlippage = { bps: 100, account: world.strangers.a };
    const outcome = world.send(routeV2(oneStep(2_000_000n, { positiveSlippage }), world.accounts()));
    expect(outcome.error?.custom).toBe(3);
  });
});

describe('a destination account of its own', () => {
  test('receives the net output', () => {
    const third = world.newTokenAccount(world.mints.b, world.stranger);
    const accounts = world.accounts({ destinationTokenAccount: third });
    expect(returned(world.send(routeV2(withFee(), accounts)))).toBe(1_980_000n);
    expect(world.balance(third)).toBe(1_980_000n);
    expect(world.balance(world.users.b)).toBe(HOLDING);
  });

  test('that the last step paid at once gets no transfer', () => {
    const third = world.newTokenAccount(world.mints.b, world.stranger);
    const steps = [{ step: world.step(world.users.a, third), bps: 10_000, inputIndex: 0, outputIndex: 1 }];
    const accounts = world.accounts({ destinationTokenAccount: third });
    const outcome = world.send(routeV2(oneStep(0n, { steps }), accounts));
    expect(transfersOf(outcome)).toEqual([]);
    expect(world.balance(third)).toBe(2_000_000n);
  });

  test("that is the user's own gets no transfer", () => {
    const accounts = world.accounts({ destinationTokenAccount: world.users.b });
    const outcome = world.send(routeV2(oneStep(2_000_000n), accounts));
    expect(outcome.error).toBeNull();
    expect(transfersOf(outcome)).toEqual([]);
  });

  test('of another mint fails in the token program', () => {
    const accounts = world.accounts({ destinationTokenAccount: world.strangers.c });
    expect(world.send(routeV2(withFee(), accounts)).error?.custom).toBe(3);
  });

  const withFee = () => oneStep(2_000_000n, { platformFee: { bps: 100, account: world.strangers.b } });
});

/** Returns the accounts and terms of a route of 1,000,000 whose single step pays `out`. */
function oneStep(out: bigint, change: Partial<ExactInTerms> = {}): ExactInTerms {
  const step = world.step(world.users.a, world.users.b, { numerator: out, denominator: 1_000_000n });
  return {
    inAmount: 1_000_000n,
    quotedOutAmount: 0n,
    slippageBps: 0,
    steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
    ...change,
  };
}
