import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { SwapParties } from '../../protocol/venue/venue.ts';
import type { SaberAddresses } from './addresses.ts';
import { type SaberFees, type SaberSides, writeFees } from './layout.ts';
import { SABER_PROGRAM } from './program.ts';

const TAG = {
  initialize: 0,
  swap: 1,
  deposit: 2,
  withdraw: 3,
  withdrawOne: 4,
  rampA: 100,
  stopRampA: 101,
  pause: 102,
  unpause: 103,
  setFeeAccount: 104,
  applyNewAdmin: 105,
  commitNewAdmin: 106,
  setNewFees: 107,
} as const;

/** A liquidity provider's own accounts. */
export interface SaberParties {
  readonly owner: Address;
  readonly tokens: SaberSides<Address>;
  readonly lpToken: Address;
}

/** Initializes a pool. Its account exists, and its reserves already hold tokens. The LP tokens go to `destination`. */
export function initialize(
  pool: SaberAddresses,
  admin: Address,
  destination: Address,
  { nonce, amplification, fees }: { nonce: number; amplification: bigint; fees: SaberFees },
): Instruction {
  const to = new ByteWriter(74).u8(TAG.initialize).u8(nonce).u64(amplification);
  writeFees(to, fees);
  return {
    programAddress: SABER_PROGRAM,
    accounts: [
      writable(pool.address),
      readonly(pool.authority),
      readonly(admin),
      readonly(pool.adminFees[0]),
      readonly(pool.adminFees[1]),
      readonly(pool.mints[0]),
      readonly(pool.reserves[0]),
      readonly(pool.mints[1]),
      readonly(pool.reserves[1]),
      writable(pool.lpMint),
      writable(destination),
      readonly(TOKEN_PROGRAM),
    ],
    data: to.finish(),
  };
}

/** Swaps exactly `amountIn` of `inputMint` for at least `minimumOut`. */
export function swap(
  pool: SaberAddresses,
  inputMint: Address,
  { authority, source, destination }: SwapParties,
  amountIn: bigint,
  minimumOut: bigint,
): Instruction {
  const [input, output] = inputMint === pool.mints[0] ? ([0, 1] as const) : ([1, 0] as const);
  return instruction(
    TAG.swap,
    [amountIn, minimumOut],
    [
      readonly(pool.address),
      readonly(pool.authority),
      readonlySigner(authority),
      writable(source),
      writable(pool.reserves[input]),
      writable(pool.reserves[output]),
      writable(destination),
      writable(pool.adminFees[output]),
      readonly(TOKEN_PROGRAM),
    ],
  );
}

/** Deposits any amounts of the two tokens, for at least `minimum` LP tokens. */
export function deposit(
  pool: SaberAddresses,
  { owner, tokens, lpToken }: SaberParties,
  amounts: SaberSides<bigint>,
  minimum: bigint,
): Instruction {
  return instruction(
    TAG.deposit,
    [...amounts, minimum],
    [
      readonly(pool.address),
      readonly(pool.authority),
      readonlySigner(owner),
      writable(tokens[0]),
      writable(tokens[1]),
      writable(pool.reserves[0]),
      writable(pool.reserves[1]),
      writable(pool.lpMint),
      writable(lpToken),
      readonly(TOKEN_PROGRAM),
    ],
  );
}

/** Burns LP tokens for their share of both tokens. */
export function withdraw(
  pool: SaberAddresses,
  { owner, tokens, lpToken }: SaberParties,
  lpAmount: bigint,
  minimums: SaberSides<bigint>,
): Instruction {
  return instruction(
    TAG.withdraw,
    [lpAmount, ...minimums],
    [
      readonly(pool.address),
      readonly(pool.authority),
      readonlySigner(owner),
      writable(pool.lpMint),
      writable(lpToken),
      writable(pool.reserves[0]),
      writable(pool.reserves[1]),
      writable(tokens[0]),
      writable(tokens[1]),
      writable(pool.adminFees[0]),
      writable(pool.adminFees[1]),
      readonly(TOKEN_PROGRAM),
    ],
  );
}

/** Burns LP tokens for one of the two tokens. */
export function withdrawOne(
  pool: SaberAddresses,
  { owner, tokens, lpToken }: SaberParties,
  side: 0 | 1,
  lpAmount: bigint,
  minimum: bigint,
): Instruction {
  return instruction(
    TAG.withdrawOne,
    [lpAmount, minimum],
    [
      readonly(pool.address),
      readonly(pool.authority),
      readonlySigner(owner),
      writable(pool.lpMint),
      writable(lpToken),
      writable(pool.reserves[side]),
      writable(pool.reserves[side === 0 ? 1 : 0]),
      writable(tokens[side]),
      writable(pool.adminFees[side]),
      readonly(TOKEN_PROGRAM),
    ],
  );
}

/** Moves the amplification to `target` until the Unix second `stop`. */
export function rampAmplification(pool: Address, admin: Address, target: bigint, stop: bigint): Instruction {
  const data = new ByteWriter(17).u8(TAG.rampA).u64(target).i64(stop).finish();
  return { ...byAdmin(TAG.rampA, pool, admin), data };
}

export function stopRamp(pool: Address, admin: Address): Instruction {
  return byAdmin(TAG.stopRampA, pool, admin);
}

export function pause(pool: Address, admin: Address): Instruction {
  return byAdmin(TAG.pause, pool, admin);
}

export function unpause(pool: Address, admin: Address): Instruction {
  return byAdmin(TAG.unpause, pool, admin);
}

/** Sets the account that receives the admin's share of the fees in its token. */
export function setFeeAccount(pool: Address, admin: Address, account: Address): Instruction {
  return byAdmin(TAG.setFeeAccount, pool, admin, account);
}

/** Names the next admin. The change takes effect when the current admin applies it, within three days. */
export function commitNewAdmin(pool: Address, admin: Address, next: Address): Instruction {
  return byAdmin(TAG.commitNewAdmin, pool, admin, next);
}

export function applyNewAdmin(pool: Address, admin: Address): Instruction {
  return byAdmin(TAG.applyNewAdmin, pool, admin);
}

export function setNewFees(pool: Address, admin: Address, fees: SaberFees): Instruction {
  const to = new ByteWriter(65).u8(TAG.setNewFees);
  writeFees(to, fees);
  return { ...byAdmin(TAG.setNewFees, pool, admin), data: to.finish() };
}

function byAdmin(tag: number, pool: Address, admin: Address, ...named: readonly Address[]): Instruction {
  return instruction(tag, [], [writable(pool), readonlySigner(admin), ...named.map(readonly)]);
}

function instruction(tag: number, numbers: readonly bigint[], accounts: AccountMeta[]): Instruction {
  const to = new ByteWriter(1 + numbers.length * 8).u8(tag);
  for (const number of numbers) to.u64(number);
  return { programAddress: SABER_PROGRAM, accounts, data: to.finish() };
}
