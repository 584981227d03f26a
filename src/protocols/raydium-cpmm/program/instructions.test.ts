import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import { isSigner, isWritable, type Instruction } from '../../../solana/messages/instruction.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { deriveRaydiumConfigAddress, derivePoolAddresses } from './addresses.ts';
import {
  deposit,
  initialize,
  initializeWithPermission,
  swapBaseInput,
  swapBaseOutput,
  withdraw,
} from './instructions.ts';
import {
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY_BUMP,
  RAYDIUM_CPMM_PROGRAM,
  RAYDIUM_CPMM_SEEDS,
} from './program.ts';
import { createRaydiumRouteStep } from '../venue.ts';

describe('addresses', () => {
  it('are those of mainnet', () => {
    const authority = findProgramAddress(RAYDIUM_CPMM_PROGRAM, [Buffer.from(RAYDIUM_CPMM_SEEDS.authority)]);
    expect(authority).toMatchObject({
      address: RAYDIUM_CPMM_AUTHORITY,
      bump: RAYDIUM_CPMM_AUTHORITY_BUMP,
    });
    expect(deriveRaydiumConfigAddress(0)).toBe('D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2');
    expect(deriveRaydiumConfigAddress(1)).toBe('G95xxie3XbkCqtE39GgQ9Ggc7xBC8Uceve7HFDEFApkc');
  });

  it('do not depend on the order in which the tokens are given', () => {
    const swapped = derivePoolAddresses(deriveRaydiumConfigAddress(0), [
      { mint: second.mint, tokenProgram: TOKEN_2022_PROGRAM },
      first,
    ]);
    expect(swapped).toEqual(pool);
    expect(Buffer.compare(toAddressBytes(pool.mints[0]), toAddressBytes(pool.mints[1]))).toBe(-1);
  });

  it('hang on the pool, which may stand under a key of its own', () => {
    const free = derivePoolAddresses(deriveRaydiumConfigAddress(0), [first, second], key('free'));
    expect(free.address).toBe(key('free'));
    expect(free.vaults).not.toEqual(pool.vaults);
    expect(() => derivePoolAddresses(deriveRaydiumConfigAddress(0), [first, first])).toThrow(RangeError);
  });
});

describe('instructions', () => {
  it.each([
    ['initialize', initialize(pool, owner, start), [5n, 6n, 7n], 20],
    ['deposit', deposit(pool, owner, 1n, [2n, 3n]), [1n, 2n, 3n], 13],
    ['withdraw', withdraw(pool, owner, 1n, [2n, 3n]), [1n, 2n, 3n], 14],
    ['swap_base_input', swapBaseInput(pool, pool.mints[0], user, 1n, 2n), [1n, 2n], 13],
    ['swap_base_output', swapBaseOutput(pool, pool.mints[0], user, 1n, 2n), [1n, 2n], 13],
  ])('%s has its discriminator, arguments and number of accounts', (name, built, args, accounts) => {
    expect(built.programAddress).toBe(RAYDIUM_CPMM_PROGRAM);
    expect(Buffer.from(built.data.subarray(0, 8))).toEqual(tagOf(name));
    expect(u64s(built.data)).toEqual(args);
    expect(built.data.length).toBe(8 + 8 * args.length);
    expect(built.accounts.length).toBe(accounts);
  });

  it('initialize_with_permission adds the creator, the permission and the token of the fee', () => {
    const built = initializeWithPermission(pool, owner, key('creator'), start, 2);
    expect(Buffer.from(built.data.subarray(0, 8))).toEqual(tagOf('initialize_with_permission'));
    expect(built.data.at(-1)).toBe(2);
    expect(built.accounts.length).toBe(21);
    expect(built.accounts[1]?.address).toBe(key('creator'));
  });

  it('mark who signs and what is written', () => {
    expect(flags(swapBaseInput(pool, pool.mints[0], user, 1n, 2n))).toBe('s - - w w w w w - - - - w');
    expect(flags(deposit(pool, owner, 1n, [2n, 3n]))).toBe('s - w w w w w w - - - - w');
    expect(flags(initialize(pool, owner, start))).toBe('sw - - w - - w w w w w w w w - - - - - -');
    expect(initialize(pool, owner, start, true).accounts[3]?.role).toBe(3);
  });

  it('turn the sides of the pool with the direction', () => {
    const sides = (mint: Address): Address[] =>
      swapBaseInput(pool, mint, user, 1n, 0n)
        .accounts.slice(6, 12)
        .map(({ address }) => address);
    const [v0, v1] = pool.vaults;
    const [p0, p1] = pool.tokenPrograms;
    const [m0, m1] = pool.mints;
    expect(sides(m0)).toEqual([v0, v1, p0, p1, m0, m1]);
    expect(sides(m1)).toEqual([v1, v0, p1, p0, m1, m0]);
    expect(() => swapBaseInput(pool, key('z'), user, 1n, 0n)).toThrow(RangeError);
  });
});

describe('createRaydiumRouteStep', () => {
  it('is tag 46, the program, and the accounts of a swap without a signer', () => {
    const step = createRaydiumRouteStep(pool, pool.mints[1], user);
    expect([...step.swap]).toEqual([46]);
    expect(step.accounts[0]?.address).toBe(RAYDIUM_CPMM_PROGRAM);
    const swap = swapBaseInput(pool, pool.mints[1], user, 0n, 0n);
    expect(step.accounts.slice(1).map(({ address }) => address)).toEqual(
      swap.accounts.map(({ address }) => address),
    );
    expect(step.accounts.some(({ role }) => isSigner(role))).toBe(false);
  });
});

const key = (name: string): Address => toAddress(createHash('sha256').update(name).digest());
const mints = ['x', 'y'].map((name) => ({ mint: key(name), tokenProgram: TOKEN_PROGRAM }));
const [first, second] = mints as [(typeof mints)[0], (typeof mints)[0]];
const pool = derivePoolAddresses(deriveRaydiumConfigAddress(0), [
  first,
  { ...second, tokenProgram: TOKEN_2022_PROGRAM },
]);
const owner = { owner: key('owner'), lpToken: key('lp'), tokens: [key('a'), key('b')] as const };
const user = { authority: key('owner'), source: key('source'), destination: key('destination') };
const start = { amounts: [5n, 6n] as const, openTime: 7n };

/** Anchor names an instruction by the first 8 bytes of this hash. */
const tagOf = (name: string): Buffer => createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);

function u64s(data: Uint8Array): bigint[] {
  const bytes = Buffer.from(data);
  return [...Array(Math.floor((bytes.length - 8) / 8)).keys()].map((i) => bytes.readBigUInt64LE(8 + 8 * i));
}

const flags = ({ accounts }: Instruction): string =>
  accounts.map(({ role }) => (isSigner(role) ? 's' : '') + (isWritable(role) ? 'w' : '') || '-').join(' ');
