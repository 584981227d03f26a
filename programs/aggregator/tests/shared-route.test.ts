import { describe, expect, test } from 'vitest';
import { sharedAccountsRoute } from '../../../src/market/aggregator/route-v1.ts';
import { type ExactInTerms, sharedAccountsRouteV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { findProgramAddress } from '../../../src/solana/pda.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { AGGREGATOR_PROGRAM, getProgramAuthority } from '../../../src/protocol/venue/aggregator-program.ts';
import { eventsOf, HOLDING, RouteWorld, returned, transfersOf } from './route-world.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const world = openForEach(() => new RouteWorld());

const forms = [
  ['v2', v2],
  ['v1', v1],
] as const;

describe.each(forms)('shared_accounts_route, %s', (version, build) => {
  test("runs through the program's accounts, which keep what they held", () => {
    world.setTokenAccount(world.programs.a, world.mints.a, world.authority, 5n);
    world.setTokenAccount(world.programs.b, world.mints.b, world.authority, 9n);
    const outcome = world.send(build());
    expect(returned(outcome)).toBe(2_000_000n);
    expect(world.balance(world.users.a)).toBe(HOLDING - 1_000_000n);
    expect(world.balance(world.users.b)).toBe(HOLDING + 2_000_000n);
    expect([world.programs.a, world.programs.b].map((each) => world.balance(each))).toEqual([5n, 9n]);
    expect(eventsOf(outcome)).toHaveLength(1);
  });

  test("an output fee is paid out of the program's account", () => {
    const outcome = world.send(build({ platformFee: { bps: 100, account: world.strangers.b } }));
    expect(returned(outcome)).toBe(1_980_000n);
    const { users, programs, strangers } = world;
    expect(transfersOf(outcome)).toEqual([
      { from: users.a, to: programs.a, amount: 1_000_000n },
      { from: programs.b, to: strangers.b, amount: 20_000n },
      { from: programs.b, to: users.b, amount: 1_980_000n },
    ]);
  });

  test('an input fee never reaches the program', () => {
    const outcome = world.send(build({ platformFee: { bps: 100, account: world.strangers.a } }));
    expect(returned(outcome)).toBe(1_980_000n);
    const { users, programs, strangers } = world;
    const fee = { from: users.a, to: strangers.a, amount: 10_000n };
    const fund = { from: users.a, to: programs.a, amount: 990_000n };
    const payment = { from: programs.b, to: users.b, amount: 1_980_000n };
    expect(transfersOf(outcome)).toEqual(version === 'v2' ? [fund, fee, payment] : [fee, fund, payment]);
  });

  test('a destination that is the program account itself gets no transfer', () => {
    const outcome = world.send(build({}, { destinationTokenAccount: world.programs.b }));
    expect(outcome.error).toBeNull();
    expect(transfersOf(outcome)).toHaveLength(1);
  });

  const cases: [string, Partial<Accounts> | (() => Partial<Accounts>), number][] = [
    [
      'a source of another token',
      () => ({ sourceTokenAccount: world.users.c, sourceMint: world.mints.c }),
      3,
    ],
    ['a destination of another token', () => ({ destinationTokenAccount: world.users.c }), 3],
    [
      'a program account of the source of another token',
      () => ({ programSourceTokenAccount: world.programs.c }),
      3,
    ],
    [
      'another program account as destination',
      () => ({ programDestinationTokenAccount: world.programs.c }),
      6021,
    ],
    ['a declared destination mint that is another', () => ({ destinationMint: world.mints.c }), 6010],
    ['a source that is no token account', () => ({ sourceTokenAccount: world.stranger }), 6025],
  ];
  test.each(cases)('%s is refused', (_, change, code) => {
    const outcome = world.send(build({}, typeof change === 'function' ? change() : change));
    expect(outcome.error?.custom).toBe(code);
  });

  test('a declared source mint that is another is refused', () => {
    const outcome = world.send(build({}, { sourceMint: world.mints.c }));
    expect(outcome.error?.custom).toBe(version === 'v2' ? 2502 : 6019);
  });

  test("a step that does not start from the program's account is refused", () => {
    const other = world.newTokenAccount(world.mints.a, world.authority, HOLDING);
    const step = world.step(other, world.programs.b, { authority: world.authority });
    const steps = [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }];
    expect(world.send(build({ steps })).error?.custom).toBe(2502);
  });

  test('a step that pays the user at once is refused', () => {
    const step = world.step(world.programs.a, world.users.b, { authority: world.authority });
    const steps = [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }];
    expect(world.send(build({ steps })).error?.custom).toBe(6021);
  });

  test('an authority of another id is refused', () => {
    const at = version === 'v2' ? 0 : 1;
    const { accounts, ...rest } = build();
    const changed = accounts.map((account, i) => (i === at ? readonly(getProgramAuthority(4)) : account));
    expect(world.send({ ...rest, accounts: changed }).error?.custom).toBe(6020);
  });

  test('a route from a mint to itself is refused', () => {
    const { mints, users, authority } = world;
    const accounts = {
      destinationMint: mints.a,
      programDestinationTokenAccount: world.newTokenAccount(mints.a, authority),
      destinationTokenAccount: users.a,
    };
    expect(world.send(build({}, accounts)).error?.custom).toBe(6018);
  });

  test('more than the source holds is refused', () => {
    expect(world.send(build({ inAmount: HOLDING + 1n })).error?.custom).toBe(6024);
  });

  test('a token program that is none is refused', () => {
    const accounts = { tokenProgram: world.stranger, sourceTokenProgram: world.stranger };
    expect(world.send(build({}, accounts)).error?.custom).toBe(6014);
  });
});

test.each([0, 15, 16, 100, 255])('id %d gives the authority that its PDA is', (id) => {
  const { address } = findProgramAddress(AGGREGATOR_PROGRAM, [Buffer.from('authority'), Uint8Array.of(id)]);
  const source = world.newTokenAccount(world.mints.a, address);
  const destination = world.newTokenAccount(world.mints.b, address);
  const step = world.step(source, destination, { authority: address });
  const { accounts, data, ...rest } = v2(
    { steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }] },
    { programSourceTokenAccount: source, programDestinationTokenAccount: destination },
  );
  const withId = Uint8Array.from(data);
  withId[8] = id;
  const outcome = world.send({ ...rest, data: withId, accounts: [readonly(address), ...accounts.slice(1)] });
  expect(outcome.error).toBeNull();
  expect(returned(outcome)).toBe(2_000_000n);
});

describe('tokens of Token-2022', () => {
  test.each(forms)('are moved with their mint as the source, %s', (_, build) => {
    const token = token2022();
    const accounts = {
      sourceTokenAccount: token.user,
      programSourceTokenAccount: token.program,
      sourceMint: token.mint,
      sourceTokenProgram: TOKEN_2022_PROGRAM,
      token2022Program: TOKEN_2022_PROGRAM,
    };
    const outcome = world.send(build(idleStep(token.program, world.programs.b), accounts));
    expect(outcome.error).toBeNull();
    expect(transfersOf(outcome)[0]).toEqual({ from: token.user, to: token.program, amount: 1_000_000n });
    expect(world.balance(token.user)).toBe(HOLDING - 1_000_000n);
  });

  test.each(forms)('are moved with their mint as the destination, %s', (_, build) => {
    const token = token2022();
    const accounts = {
      destinationTokenAccount: token.user,
      programDestinationTokenAccount: token.program,
      destinationMint: token.mint,
      destinationTokenProgram: TOKEN_2022_PROGRAM,
      token2022Program: TOKEN_2022_PROGRAM,
    };
    const outcome = world.send(build(idleStep(world.programs.a, token.program), accounts));
    expect(outcome.error).toBeNull();
    expect(transfersOf(outcome)[1]).toEqual({ from: token.program, to: token.user, amount: 0n });
  });

  test('need their program, which the v1 form names on its own', () => {
    const token = token2022();
    const accounts = {
      sourceTokenAccount: token.user,
      programSourceTokenAccount: token.program,
      sourceMint: token.mint,
    };
    expect(world.send(v1({}, accounts)).error?.custom).toBe(6014);
    expect(world.send(v1({}, { ...accounts, token2022Program: world.stranger })).error?.custom).toBe(6014);
    expect(world.send(v1({}, { ...accounts, tokenProgram: TOKEN_2022_PROGRAM })).error?.custom).toBe(6014);
  });

  /** Returns accounts of a new Token-2022 mint for the user and the program authority. */
  function token2022() {
    const mint = world.newMint(TOKEN_2022_PROGRAM);
    const of = (owner: Address) => world.newTokenAccount(mint, owner, HOLDING, TOKEN_2022_PROGRAM);
    return { mint, user: of(world.user), program: of(world.authority) };
  }

  /** The venue does nothing in this step, so it need not know the token. */
  function idleStep(from: Address, to: Address) {
    const step = world.step(from, to, { authority: world.authority, idle: true });
    return { quotedOutAmount: 0n, steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }] };
  }
});

type Terms = ExactInTerms & { readonly platformFeeBps?: number; readonly platformFeeAccount?: Address };
type Accounts = ReturnType<RouteWorld['sharedAccounts']>;

/**
 * Returns the terms of a route of 1,000,000 through one step between the program's accounts that pays twice its
 * input.
 */
function terms(change: Partial<Terms> = {}): Terms {
  const step = world.step(world.programs.a, world.programs.b, { authority: world.authority });
  return {
    inAmount: 1_000_000n,
    quotedOutAmount: 1n,
    slippageBps: 0,
    steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
    ...change,
  };
}

function v2(change: Partial<Terms> = {}, accounts: Partial<Accounts> = {}): Instruction {
  return sharedAccountsRouteV2(terms(change), world.sharedAccounts(accounts));
}

function v1(change: Partial<Terms> = {}, accounts: Partial<Accounts> = {}): Instruction {
  const { platformFee, steps, ...rest } = terms(change);
  return sharedAccountsRoute(
    {
      ...rest,
      platformFeeBps: platformFee?.bps ?? 0,
      ...(platformFee === undefined ? {} : { platformFeeAccount: platformFee.account }),
      steps: steps.map(({ bps, ...step }) => ({ ...step, percent: bps / 100 })),
    },
    world.sharedAccounts(accounts),
  );
}
