import { beforeEach, describe, expect, test } from 'vitest';
import { AGGREGATOR_PROGRAM, DISCRIMINATOR } from '../../../src/protocol/venue/aggregator-program.ts';
import { type Address, address } from '../../../src/solana/address.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import { AUTHORITY_ID, RouteWorld, transfersOf } from './route-world.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const world = openForEach(() => new RouteWorld());

describe('claim', () => {
  beforeEach(setUp);

  test('sends all lamports of the program authority to the fee wallet', () => {
    expect(world.send(claim()).error).toBeNull();
    expect(world.network.account(WALLET)?.lamports).toBe(500_000_000n);
    expect(world.network.account(world.authority)).toBeNull();
  });

  test('refuses another wallet, and another authority than that of the id', () => {
    expect(world.send(claim(world.stranger)).error?.custom).toBe(6022);
    expect(world.send(claim(WALLET, world.stranger)).error?.kind).toBe('PrivilegeEscalation');
  });

  test('fails without its argument and without all of its accounts', () => {
    const { accounts, data, ...rest } = claim();
    expect(world.send({ ...rest, accounts, data: data.subarray(0, 8) }).error?.custom).toBe(102);
    const short = { ...rest, data, accounts: accounts.slice(0, 2) };
    expect(world.send(short).error?.kind).toBe('NotEnoughAccountKeys');
  });

  function claim(wallet: Address = WALLET, authority: Address = world.authority): Instruction {
    return {
      programAddress: AGGREGATOR_PROGRAM,
      accounts: [writable(wallet), writable(authority), readonly(SYSTEM_PROGRAM)],
      data: Uint8Array.of(...DISCRIMINATOR.claim, AUTHORITY_ID),
    };
  }

  function setUp(): void {
    const empty = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    world.network.setAccount(world.authority, { lamports: 500_000_000n, ...empty });
  }
});

describe('claim_token', () => {
  beforeEach(() => {
    world.setTokenAccount(world.programs.a, world.mints.a, world.authority, 77n);
  });

  test("sends a balance of the program authority to the fee wallet's associated account, which it makes", () => {
    const outcome = world.send(claimToken());
    expect(transfersOf(outcome)).toEqual([{ from: world.programs.a, to: destination(), amount: 77n }]);
    expect(world.balance(destination())).toBe(77n);
    world.setTokenAccount(world.programs.a, world.mints.a, world.authority, 1n);
    expect(world.send(claimToken()).error).toBeNull();
    expect(world.balance(destination())).toBe(78n);
  });

  test("takes any account of the fee wallet's that is there", () => {
    const other = world.newTokenAccount(world.mints.a, WALLET);
    expect(world.send(claimToken({ 4: other })).error).toBeNull();
    expect(world.balance(other)).toBe(77n);
    const noProgram = claimToken({ 4: other, 6: world.stranger });
    expect(world.send(noProgram).error?.custom).toBe(6014);
  });

  test.each([
    ['another wallet', 1, () => world.stranger, { custom: 6022 }],
    ['an authority of another id', 2, () => world.stranger, { kind: 'PrivilegeEscalation' }],
    ['a source of somebody else', 3, () => world.users.a, { custom: 4 }],
    ['a source of another token', 3, () => world.programs.b, { custom: 3 }],
    [
      'a destination of another token',
      4,
      () => world.newTokenAccount(world.mints.b, WALLET),
      { custom: 6019 },
    ],
    ['a destination that is no token account', 4, () => world.mints.a, { custom: 6025 }],
    ["somebody else's destination", 4, () => world.strangers.a, { custom: 6023 }],
    ['another mint', 5, () => world.mints.b, { kind: 'InvalidSeeds' }],
  ] as const)('refuses %s', (_, place, other, error) => {
    expect(world.send(claimToken({ [place]: other() })).error).toMatchObject(error);
  });

  test('fails without all of its accounts', () => {
    const { accounts, ...rest } = claimToken();
    const short = { ...rest, accounts: accounts.slice(0, 8) };
    expect(world.send(short).error?.kind).toBe('NotEnoughAccountKeys');
  });

  const destination = () => deriveAssociatedTokenAddress(WALLET, world.mints.a, TOKEN_PROGRAM);

  function claimToken(change: Readonly<Record<number, Address>> = {}): Instruction {
    const accounts = [
      writableSigner(world.user),
      readonly(WALLET),
      readonly(world.authority),
      writable(world.programs.a),
      writable(destination()),
      ...[world.mints.a, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM].map(readonly),
    ];
    return {
      programAddress: AGGREGATOR_PROGRAM,
      accounts: accounts.map((each, index) => ({ ...each, address: change[index] ?? each.address })),
      data: Uint8Array.of(...DISCRIMINATOR.claimToken, AUTHORITY_ID),
    };
  }
});

const WALLET = address('7JQeyNK55fkUPUmEotupBFpiBGpgEQYLe8Ht1VdSfxcP');
