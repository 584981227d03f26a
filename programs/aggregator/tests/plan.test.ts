import { beforeEach, describe, expect, test } from 'vitest';
import { route } from '../../../src/market/aggregator/route-v1.ts';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { eventsOf, HOLDING, RouteWorld, returned, type Script } from './route-world.ts';

let world: RouteWorld;
beforeEach(() => {
  world = new RouteWorld();
});

describe('hops', () => {
  test('hand on what was delivered, and leave what was there before', () => {
    const { a, b, c } = world.users;
    const outcome = run([
      [a, c, 10_000, 0, 1],
      [c, b, 10_000, 1, 2],
    ]);
    expect(inputs(outcome)).toEqual([1_000_001n, 2_000_002n]);
    expect(returned(outcome)).toBe(4_000_004n);
    expect(world.balance(c)).toBe(HOLDING);
  });

  test('leave in the account of the input what a venue does not take', () => {
    const { a, b, c } = world.users;
    const outcome = run([
      [a, c, 10_000, 0, 1, { most: 400_000n }],
      [c, b, 10_000, 1, 2, { most: 500_000n }],
    ]);
    expect(inputs(outcome)).toEqual([1_000_001n, 800_000n]);
    expect(world.balance(a)).toBe(HOLDING - 400_000n);
    expect(world.balance(c)).toBe(HOLDING + 300_000n);
    expect(returned(outcome)).toBe(1_000_000n);
  });
});

describe('splits', () => {
  test('floor each share, and give the rest to the step that completes the whole', () => {
    const { a, b } = world.users;
    const lines: Line[] = [
      [a, b, 3333, 0, 1],
      [a, b, 6667, 0, 1],
    ];
    const outcome = run(lines);
    expect(inputs(outcome)).toEqual([333_300n, 666_701n]);
    expect(returned(outcome)).toBe(2_000_002n);
  });

  test('in percent are the same of 100', () => {
    const { a, b } = world.users;
    const steps = [33, 67].map((percent) => ({
      step: world.step(a, b),
      percent,
      inputIndex: 0,
      outputIndex: 1,
    }));
    const terms = { inAmount: 1_000_001n, quotedOutAmount: 0n, slippageBps: 0, platformFeeBps: 0, steps };
    expect(inputs(world.send(route(terms, world.accounts())))).toEqual([330_000n, 670_001n]);
  });

  test('below the whole leave the rest in the source', () => {
    const { a, b } = world.users;
    expect(
      inputs(
        run([
          [a, b, 6000, 0, 1],
          [a, b, 3000, 0, 1],
        ]),
      ),
    ).toEqual([600_000n, 300_000n]);
    expect(world.balance(a)).toBe(HOLDING - 900_000n);
  });

  test('of an intermediate join two branches into one account', () => {
    const { a, b, c } = world.users;
    const outcome = run([
      [a, c, 5000, 0, 1],
      [a, c, 5000, 0, 1],
      [c, b, 2500, 1, 2],
      [c, b, 7500, 1, 2],
    ]);
    expect(inputs(outcome)).toEqual([500_000n, 500_001n, 500_000n, 1_500_002n]);
    expect(returned(outcome)).toBe(4_000_004n);
  });

  test('may ask for nothing', () => {
    const { a, b } = world.users;
    expect(
      inputs(
        run([
          [a, b, 10_000, 0, 1],
          [a, b, 0, 0, 1],
        ]),
      ),
    ).toEqual([1_000_001n, 0n]);
  });

  test('begin again once the whole is given out, of nothing', () => {
    const { a, b } = world.users;
    const outcome = run([
      [a, b, 10_000, 0, 1],
      [a, b, 5000, 0, 1],
      [a, b, 5000, 0, 1],
    ]);
    expect(inputs(outcome)).toEqual([1_000_001n, 0n, 0n]);
  });

  test('of an intermediate that was emptied take what arrives later', () => {
    const { a, b, c } = world.users;
    const outcome = run([
      [a, c, 5000, 0, 1],
      [c, b, 10_000, 1, 2],
      [a, c, 5000, 0, 1],
      [c, b, 5000, 1, 2],
    ]);
    expect(inputs(outcome)).toEqual([500_000n, 1_000_000n, 500_001n, 500_001n]);
    expect(returned(outcome)).toBe(3_000_002n);
  });

  test('that end at two indices are measured by the last one', () => {
    const { a, b } = world.users;
    const lines: Line[] = [
      [a, b, 5000, 0, 1],
      [a, b, 5000, 0, 2],
    ];
    expect(returned(run(lines))).toBe(1_000_002n);
    expect(run(lines, 1_500_000n).error?.custom).toBe(6001);
  });
});

describe('where routes end', () => {
  test("another account of the destination's mint will do", () => {
    const other = world.newTokenAccount(world.mints.b, world.stranger);
    expect(returned(run([[world.users.a, other, 10_000, 0, 1]]))).toBe(2_000_002n);
    expect(world.balance(other)).toBe(2_000_002n);
  });

  test('a round trip into a second account of the source mint is carried out', () => {
    const { a, c } = world.users;
    const second = world.newTokenAccount(world.mints.a, world.user);
    const steps = [
      { step: world.step(a, c), bps: 10_000, inputIndex: 0, outputIndex: 1 },
      { step: world.step(c, second), bps: 10_000, inputIndex: 1, outputIndex: 2 },
    ];
    const accounts = world.accounts({ userDestinationTokenAccount: second, destinationMint: world.mints.a });
    const terms = { inAmount: 1n, quotedOutAmount: 4n, slippageBps: 0, steps };
    expect(returned(world.send(routeV2(terms, accounts)))).toBe(4n);
  });
});

describe('plans that are refused', () => {
  const cases: [string, (of: RouteWorld) => Line[], number][] = [
    ['none', () => [], 6010],
    ['an end in another mint', ({ users }) => [[users.a, users.c, 10_000, 0, 1]], 6010],
    [
      'an end in another mint, after the destination got its share',
      ({ users }) => [
        [users.a, users.b, 5000, 0, 1],
        [users.a, users.c, 5000, 0, 2],
      ],
      6010,
    ],
    ['a share above the whole', ({ users }) => [[users.a, users.b, 10_001, 0, 1]], 6010],
    [
      'shares above the whole',
      ({ users }) => [
        [users.a, users.b, 6000, 0, 1],
        [users.a, users.b, 4001, 0, 1],
      ],
      6010,
    ],
    [
      'shares above what a u16 can hold',
      ({ users }) => [
        [users.a, users.b, 1, 0, 1],
        [users.a, users.b, 65_535, 0, 1],
      ],
      6002,
    ],
    ['an input index above the number of steps', ({ users }) => [[users.a, users.b, 1, 2, 1]], 6006],
    ['an output index above the number of steps', ({ users }) => [[users.a, users.b, 1, 0, 2]], 6007],
    ['the source as output', ({ users }) => [[users.a, users.b, 10_000, 0, 0]], 2502],
    [
      'another account for a known output',
      (of) => [
        [of.users.a, of.users.b, 5000, 0, 1],
        [of.users.a, of.newTokenAccount(of.mints.b, of.user), 5000, 0, 1],
      ],
      2502,
    ],
    [
      'another account for a known input',
      (of) => [
        [of.users.a, of.users.c, 10_000, 0, 1],
        [of.newTokenAccount(of.mints.c, of.user, HOLDING), of.users.b, 10_000, 1, 2],
      ],
      2502,
    ],
    [
      'delivery to the index that the step itself spent a part of',
      ({ users }) => [
        [users.a, users.c, 10_000, 0, 1],
        [users.c, users.c, 5000, 1, 1],
      ],
      2501,
    ],
    [
      'delivery to an index that was spent of',
      ({ users }) => [
        [users.a, users.c, 5000, 0, 1],
        [users.c, users.b, 1, 1, 2],
        [users.a, users.c, 5000, 0, 1],
      ],
      2501,
    ],
  ];
  test.each(cases)('%s', (_, lines, code) => {
    const outcome = run(lines(world));
    expect(outcome.error?.custom).toBe(code);
    expect(world.balance(world.users.a)).toBe(HOLDING);
  });

  test('an output account that holds less than before', () => {
    const { a } = world.users;
    const steps = [
      { step: world.step(a, a, { denominator: 4n }), bps: 10_000, inputIndex: 0, outputIndex: 1 },
    ];
    const accounts = world.accounts({ userDestinationTokenAccount: a, destinationMint: world.mints.a });
    const terms = { inAmount: 100n, quotedOutAmount: 0n, slippageBps: 0, steps };
    expect(world.send(routeV2(terms, accounts)).error?.custom).toBe(6002);
  });

  test('fail as their venue does', () => {
    const { a, b } = world.users;
    expect(run([[a, b, 10_000, 0, 1, { failure: 777n }]]).error?.custom).toBe(777);
  });
});

/**
 * The source account, the destination account, the share, the input index, the output index, and the venue's script.
 */
type Line = readonly [
  from: Address,
  to: Address,
  share: number,
  input: number,
  output: number,
  script?: Script,
];

function run(lines: readonly Line[], quotedOutAmount = 0n): TestOutcome {
  const steps = lines.map(([from, to, bps, inputIndex, outputIndex, script]) => {
    return { step: world.step(from, to, script), bps, inputIndex, outputIndex };
  });
  const terms = { inAmount: 1_000_001n, quotedOutAmount, slippageBps: 0, steps };
  return world.send(routeV2(terms, world.accounts()));
}

function inputs(outcome: TestOutcome): bigint[] {
  return eventsOf(outcome).flatMap((event) => {
    if (event.kind === 'swaps') return event.swaps.map((swap) => swap.inputAmount);
    return event.kind === 'swap' ? [event.inputAmount] : [];
  });
}
