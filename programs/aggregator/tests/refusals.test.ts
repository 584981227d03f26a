import { describe, expect, test } from 'vitest';
import {
  AGGREGATOR_PROGRAM,
  DISCRIMINATOR,
  EVENT_AUTHORITY,
} from '../../../src/protocol/venue/aggregator-program.ts';
import { type ExactInTerms, exactOutRouteV2, routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly, readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { HOLDING, RouteWorld } from './route-world.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const world = openForEach(() => new RouteWorld());

describe('the fixed accounts', () => {
  test('nine are too few', () => {
    const { accounts, ...rest } = instruction();
    expect(world.send({ ...rest, accounts: accounts.slice(0, 9) }).error?.kind).toBe('NotEnoughAccountKeys');
  });

  test.each([
    ['sourceMint', 6019],
    ['destinationMint', 6019],
  ] as const)('%s must be that of its token account', (name, code) => {
    const outcome = world.send(routeV2(terms(), world.accounts({ [name]: world.mints.c })));
    expect(outcome.error?.custom).toBe(code);
  });

  test.each(['userSourceTokenAccount', 'userDestinationTokenAccount'] as const)('%s must be one', (name) => {
    const outcome = world.send(routeV2(terms(), world.accounts({ [name]: world.stranger })));
    expect(outcome.error?.custom).toBe(6025);
  });

  test('the source must hold the input', () => {
    expect(world.send(instruction({ inAmount: HOLDING })).error).toBeNull();
    expect(world.send(instruction({ inAmount: 1n })).error?.custom).toBe(6024);
  });

  test.each(['sourceTokenProgram', 'destinationTokenProgram'] as const)(
    '%s is looked at only when it is needed',
    (name) => {
      const side = name === 'sourceTokenProgram' ? 'a' : 'b';
      const accounts = () => world.accounts({ [name]: world.stranger });
      expect(world.send(routeV2(terms(), accounts())).error).toBeNull();
      const platformFee = { bps: 100, account: world.strangers[side] };
      expect(world.send(routeV2(terms({ platformFee }), accounts())).error?.custom).toBe(6014);
    },
  );

  test('the event authority must be the one, the program account may be any', () => {
    expect(world.send(replace(8, world.stranger)).error?.kind).toBe('PrivilegeEscalation');
    expect(world.send(replace(9, world.stranger)).error).toBeNull();
  });

  test('the user must sign', () => {
    const outcome = world.network.send([replace(0, world.user)]);
    expect(outcome.error?.kind).toBe('PrivilegeEscalation');
  });
});

describe('the accounts of the steps', () => {
  test.each([10, 11, 15, 18])('%d accounts in all are too few', (count) => {
    const { accounts, ...rest } = instruction();
    expect(world.send({ ...rest, accounts: accounts.slice(0, count) }).error?.custom).toBe(6008);
  });

  test('a platform fee without any account behind the fixed ones is found out by the steps', () => {
    const { accounts, ...rest } = instruction({ platformFee: { bps: 1, account: world.strangers.b } });
    expect(world.send({ ...rest, accounts: accounts.slice(0, 10) }).error?.custom).toBe(6008);
  });

  test('a fee account that nobody asked for is taken for the venue', () => {
    const { accounts, ...rest } = instruction();
    const extra = [...accounts.slice(0, 10), readonly(world.strangers.b), ...accounts.slice(10)];
    expect(world.send({ ...rest, accounts: extra }).error?.kind).toBe('IncorrectProgramId');
  });

  test('another program in the place of the venue', () => {
    expect(world.send(replace(10, AGGREGATOR_PROGRAM)).error?.kind).toBe('IncorrectProgramId');
  });

  test.each([16, 17])('place %d must be a token account', (place) => {
    expect(world.send(replace(place, world.stranger)).error?.custom).toBe(6025);
  });

  test('an account that the transaction does not let be written', () => {
    expect(world.send(replace(16, world.strangers.a)).error?.kind).toBe('PrivilegeEscalation');
  });
});

describe('the data', () => {
  test('may not be cut short anywhere', () => {
    const { data } = instruction();
    for (let length = 8; length < data.length; length++) {
      expect(world.send(withData(data.subarray(0, length))).error?.custom, `${length} bytes`).toBe(102);
    }
  });

  test.each([0, 7])('of %d bytes is no instruction', (length) => {
    expect(world.send(withData(instruction().data.subarray(0, length))).error?.kind).toBe(
      'InvalidAccountData',
    );
  });

  test('with an unknown discriminator is no instruction', () => {
    const data = Uint8Array.from(instruction().data);
    data[0] = 1;
    expect(world.send(withData(data)).error?.kind).toBe('InvalidAccountData');
  });

  test('may not promise more steps than there are', () => {
    const data = Uint8Array.from(instruction().data);
    data.set([255, 255, 255, 255], 30);
    expect(world.send(withData(data)).error?.custom).toBe(102);
  });

  const SUPPORTED = [
    0, 3, 7, 17, 26, 32, 38, 40, 43, 46, 47, 56, 68, 75, 77, 78, 79, 88, 101, 102, 105, 108, 116, 117, 120,
  ];

  test('tells steps that are not carried out from steps that nobody knows', () => {
    for (let tag = 0; tag < 256; tag++) {
      if (SUPPORTED.includes(tag)) continue;
      const data = Uint8Array.from(instruction().data);
      data[34] = tag;
      expect(world.send(withData(data)).error?.custom, `tag ${tag}`).toBe(tag <= 125 ? 6016 : 102);
    }
  });

  const withData = (data: Uint8Array): Instruction => ({ ...instruction(), data });
});

describe('instructions that are left out', () => {
  test('closeToken', () => {
    expect(world.send({ ...instruction(), data: DISCRIMINATOR.closeToken }).error?.custom).toBe(101);
  });
});

describe('routes for an exact output', () => {
  test('over a venue whose swaps the public program works out and this one does not', () => {
    const { steps } = terms();
    const exact = { outAmount: 1n, quotedInAmount: 1n, slippageBps: 0, steps };
    expect(world.send(exactOutRouteV2(exact, world.accounts())).error?.custom).toBe(6016);
  });

  test.each([
    'exactOutRoute',
    'exactOutRouteV2',
    'sharedAccountsExactOutRoute',
    'sharedAccountsExactOutRouteV2',
  ] as const)('without arguments, %s', (name) => {
    expect(world.send({ ...instruction(), data: DISCRIMINATOR[name] }).error?.custom).toBe(102);
  });
});

describe('the receiving end of events', () => {
  const event = (...accounts: Instruction['accounts']): Instruction => ({
    programAddress: AGGREGATOR_PROGRAM,
    accounts,
    data: Buffer.from('e445a52e51cb9a1d982f4eebc0606e6a00000000', 'hex'),
  });

  test.each([
    ['nobody signed', () => event(readonly(EVENT_AUTHORITY)), { custom: 2002 }],
    ['somebody else signed', () => event(readonlySigner(world.user)), { custom: 2002 }],
    ['there is no account', () => event(), { kind: 'NotEnoughAccountKeys' }],
  ])('refuses when %s', (_, build, error) => {
    expect(world.send(build()).error).toMatchObject(error);
  });
});

function terms(change: Partial<ExactInTerms> = {}): ExactInTerms {
  const step = world.step(world.users.a, world.users.b);
  const steps = [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }];
  return { inAmount: 1_000_000n, quotedOutAmount: 0n, slippageBps: 0, steps, ...change };
}

const instruction = (change: Partial<ExactInTerms> = {}) => routeV2(terms(change), world.accounts());

/** Returns the same instruction with another, read-only account in one place. */
function replace(at: number, account: Address, from: Instruction = instruction()): Instruction {
  return { ...from, accounts: from.accounts.map((each, index) => (index === at ? readonly(account) : each)) };
}
