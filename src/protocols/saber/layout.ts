import type { AccountFilter } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** A pair of values: for token A and for token B of a pool. */
export type SaberSides<T> = readonly [T, T];

/** A share, rounded down; a denominator of 0 makes every use of it fail. */
export interface SaberFeeRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export interface SaberFees {
  /** Of the trade fee, for the admin. */
  readonly adminTrade: SaberFeeRatio;
  /** Of the withdrawal fee, for the admin. */
  readonly adminWithdraw: SaberFeeRatio;
  readonly trade: SaberFeeRatio;
  readonly withdraw: SaberFeeRatio;
}

/** The coefficient A on its way from one value to another, between two Unix seconds. */
export interface Amplification {
  readonly initial: bigint;
  readonly target: bigint;
  readonly start: bigint;
  readonly stop: bigint;
}

/** The pool's account. */
export interface SaberAccount {
  readonly initialized: boolean;
  readonly paused: boolean;
  /** Bump of the authority. */
  readonly nonce: number;
  readonly amplification: Amplification;
  readonly futureAdminDeadline: bigint;
  readonly futureAdmin: Address;
  readonly admin: Address;
  readonly reserves: SaberSides<Address>;
  readonly lpMint: Address;
  readonly mints: SaberSides<Address>;
  /** Where the admin's share of fees goes, by the token that it is in. */
  readonly adminFees: SaberSides<Address>;
  readonly fees: SaberFees;
}

export const SABER_POOL_SIZE = 395;

/** The data of pools that were initialized begins with it. */
export const SABER_INITIALIZED = Uint8Array.of(1);

/** The filter by which RPC nodes tell pools from the program's other accounts. */
export const POOL_FILTER: AccountFilter = {
  dataSize: SABER_POOL_SIZE,
  memcmp: { offset: 0, bytes: SABER_INITIALIZED },
};

/** Whether the bytes have the size of a pool, and say that it was initialized. */
export function isSaberData(data: Uint8Array): boolean {
  return data.length === SABER_POOL_SIZE && data[0] === 1;
}

/** @throws LayoutInvalid when the bytes are not a pool */
export function decodeSaber(data: Uint8Array): SaberAccount {
  const from = new ByteReader(data, 'Saber pool');
  const addresses = (): SaberSides<Address> => [from.address(), from.address()];
  const pool = {
    initialized: from.bool(),
    paused: from.bool(),
    nonce: from.u8(),
    amplification: { initial: from.u64(), target: from.u64(), start: from.i64(), stop: from.i64() },
    futureAdminDeadline: from.i64(),
    futureAdmin: from.address(),
    admin: from.address(),
    reserves: addresses(),
    lpMint: from.address(),
    mints: addresses(),
    adminFees: addresses(),
    fees: readFees(from),
  };
  from.end();
  return pool;
}

export function encodeSaber(pool: SaberAccount): Uint8Array {
  const { initial, target, start, stop } = pool.amplification;
  const to = new ByteWriter(SABER_POOL_SIZE).bool(pool.initialized).bool(pool.paused).u8(pool.nonce);
  to.u64(initial).u64(target).i64(start).i64(stop).i64(pool.futureAdminDeadline);
  to.address(pool.futureAdmin).address(pool.admin);
  for (const each of [...pool.reserves, pool.lpMint, ...pool.mints, ...pool.adminFees]) to.address(each);
  writeFees(to, pool.fees);
  return to.finish();
}

export function writeFees(to: ByteWriter, { adminTrade, adminWithdraw, trade, withdraw }: SaberFees): void {
  for (const { numerator, denominator } of [adminTrade, adminWithdraw, trade, withdraw]) {
    to.u64(numerator).u64(denominator);
  }
}

function readFees(from: ByteReader): SaberFees {
  const ratio = (): SaberFeeRatio => ({ numerator: from.u64(), denominator: from.u64() });
  return { adminTrade: ratio(), adminWithdraw: ratio(), trade: ratio(), withdraw: ratio() };
}
