import { describe, expect, test } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../../src/protocol/venue/aggregator-program.ts';
import {
  createTokenAccount,
  type TemporaryTokenAccount,
} from '../../../src/market/aggregator/token-accounts.ts';
import { toAddressBytes } from '../../../src/solana/address.ts';
import { readonly, writable } from '../../../src/solana/messages/instruction.ts';
import { findProgramAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { RouteWorld } from './route-world.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const world = openForEach(() => new RouteWorld());
const temporary = openForEach(() => of(world.mints.a));

describe('create_token_account', () => {
  test.each([
    ['an address without lamports', 0n, RENT],
    ['an address that holds part of its rent', 1_000_000n, RENT],
    ['an address that holds its rent', RENT, RENT],
    ['an address that holds more', 9_000_000n, 9_000_000n],
  ])("makes the user's token account at %s", (_, before, after) => {
    if (before > 0n) fund(before);
    expect(world.send(createTokenAccount(temporary)).error).toBeNull();
    const account = world.network.account(temporary.tokenAccount);
    if (account === null) throw new Error('the account was not made');
    expect(account.owner).toBe(TOKEN_PROGRAM);
    expect(account.lamports).toBe(after);
    expect(decodeTokenAccount(account.data)).toMatchObject({
      mint: world.mints.a,
      owner: world.user,
      amount: 0n,
      state: 'initialized',
    });
  });

  test('refuses an account that is there already', () => {
    world.send(createTokenAccount(temporary));
    expect(world.send(createTokenAccount(temporary)).error?.custom).toBe(0);
  });

  test.each([
    ['another address', () => ({ tokenAccount: world.network.newAddress() })],
    ['another bump', () => ({ bump: temporary.bump - 1 })],
    ['another user', () => ({ user: world.stranger })],
  ])('refuses %s', (_, change) => {
    const outcome = world.send(createTokenAccount({ ...temporary, ...change() }));
    expect(['PrivilegeEscalation', 'ProgramFailedToComplete']).toContain(outcome.error?.kind);
    expect(world.network.account(temporary.tokenAccount)).toBeNull();
  });

  test('refuses a token program that is none', () => {
    const outcome = world.send(createTokenAccount({ ...temporary, tokenProgram: world.stranger }));
    expect(outcome.error?.kind).toBe('IncorrectProgramId');
  });

  test('makes accounts of the first token program only', () => {
    const mint = world.newMint(TOKEN_2022_PROGRAM);
    const outcome = world.send(createTokenAccount({ ...of(mint), tokenProgram: TOKEN_2022_PROGRAM }));
    expect(outcome.error?.kind).toBe('MissingAccount');
  });

  test('refuses a user who does not sign', () => {
    const { accounts, ...rest } = createTokenAccount({ ...temporary, user: world.stranger });
    const unsigned = accounts.map((each, index) => (index === 1 ? writable(each.address) : each));
    expect(world.send({ ...rest, accounts: unsigned }).error?.kind).toBe('MissingRequiredSignature');
  });

  test('fails without the system program, without its argument, without all of its accounts', () => {
    const { accounts, data, ...rest } = createTokenAccount(temporary);
    const other = accounts.map((each, index) => (index === 4 ? readonly(world.stranger) : each));
    expect(world.send({ ...rest, data, accounts: other }).error?.kind).toBe('MissingAccount');
    expect(world.send({ ...rest, accounts, data: data.subarray(0, 8) }).error?.custom).toBe(102);
    const short = { ...rest, data, accounts: accounts.slice(0, 4) };
    expect(world.send(short).error?.kind).toBe('NotEnoughAccountKeys');
  });
});

const RENT = 2_039_280n;

function of(mint: TemporaryTokenAccount['mint']): TemporaryTokenAccount {
  const seeds = [Buffer.from('token_account'), toAddressBytes(world.user), toAddressBytes(mint)];
  const { address, bump } = findProgramAddress(AGGREGATOR_PROGRAM, seeds);
  return { tokenAccount: address, bump, user: world.user, mint, tokenProgram: TOKEN_PROGRAM };
}

function fund(lamports: bigint): void {
  const empty = { data: new Uint8Array(0), executable: false, rentEpoch: 0n };
  world.network.setAccount(temporary.tokenAccount, { lamports, owner: SYSTEM_PROGRAM, ...empty });
}
