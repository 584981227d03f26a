import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress } from '../../solana/pda.ts';

/** The public program that locks tokens to vote with. */
export const VOTER_PROGRAM = address('voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj');
/** The locker of JUP. */
export const JUP_LOCKER = address('CVMdMd79no569tjc5Sq7kzz8isbfCcFyBS5TLGsrZ5dN');
export const JUP_MINT = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');

export const ESCROW_SIZE = 322;
export const PARTIAL_UNSTAKE_SIZE = 156;
export const PARTIAL_UNSTAKE_ESCROW_AT = 8;

const LOCKER_SIZE = 665;

const LOCKER_TAG = Uint8Array.of(0x4a, 0xf6, 0x06, 0x71, 0xf9, 0xe4, 0x4b, 0xa9);
const ESCROW_TAG = Uint8Array.of(0x1f, 0xd5, 0x7b, 0xbb, 0xba, 0x16, 0xda, 0x9b);
const PARTIAL_UNSTAKE_TAG = Uint8Array.of(0xac, 0x92, 0x3a, 0xd5, 0x28, 0xfa, 0x6b, 0x3f);

/** The stake of one owner in one locker. */
export interface VoteEscrow {
  readonly locker: Address;
  readonly owner: Address;
  readonly tokens: Address;
  /** Atoms, without those that are being unstaked in parts. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly startedAt: bigint;
  /** The Unix second at which all of it can be withdrawn, if the lock is running out. */
  readonly endsAt: bigint;
  /** Whether the lock has a constant length until the owner begins to unstake. */
  readonly isMaxLock: boolean;
}

/** The terms of votes. */
export interface Locker {
  readonly mint: Address;
  /** The votes of an atom that is locked for `maxDuration`. */
  readonly multiplier: number;
  /** Seconds. */
  readonly maxDuration: bigint;
}

/** A part of a stake that is being unstaked. */
export interface PartialUnstake {
  readonly escrow: Address;
  /** Atoms. */
  readonly amount: bigint;
  /** The Unix second from which it can be withdrawn. */
  readonly expiration: bigint;
}

export function deriveVoteEscrowAddress(locker: Address, owner: Address): Address {
  const seeds = [Buffer.from('Escrow'), toAddressBytes(locker), toAddressBytes(owner)];
  return findProgramAddress(VOTER_PROGRAM, seeds).address;
}

/**
 * Decodes `Escrow` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an escrow's.
 */
export function decodeVoteEscrow(data: Uint8Array): VoteEscrow {
  const from = new ByteReader(data, 'vote escrow');
  from.expect(ESCROW_TAG, 'discriminator');
  const [locker, owner] = [from.address(), from.address()];
  from.skip(1);
  const stake = { tokens: from.address(), amount: from.u64(), startedAt: from.i64(), endsAt: from.i64() };
  from.skip(32);
  return { locker, owner, ...stake, isMaxLock: from.bool() };
}

export function encodeVoteEscrow(escrow: VoteEscrow): Uint8Array {
  const to = new ByteWriter(ESCROW_SIZE).bytes(ESCROW_TAG).address(escrow.locker).address(escrow.owner);
  to.u8(255).address(escrow.tokens).u64(escrow.amount).i64(escrow.startedAt).i64(escrow.endsAt);
  to.address(escrow.owner).bool(escrow.isMaxLock);
  return to.zeros(ESCROW_SIZE - to.length).finish();
}

/**
 * Decodes `Locker` of the program's public source.
 *
 * @throws LayoutInvalid when the data is not a locker's.
 */
export function decodeLocker(data: Uint8Array): Locker {
  const from = new ByteReader(data, 'vote locker');
  from.expect(LOCKER_TAG, 'discriminator');
  from.skip(32 + 1);
  const mint = from.address();
  from.skip(8 + 8 + 32);
  const multiplier = from.u8();
  from.skip(8);
  return { mint, multiplier, maxDuration: from.u64() };
}

export function encodeLocker({ mint, multiplier, maxDuration }: Locker): Uint8Array {
  const to = new ByteWriter(LOCKER_SIZE).bytes(LOCKER_TAG).zeros(33).address(mint).zeros(48);
  to.u8(multiplier).u64(0n).u64(maxDuration);
  return to.zeros(LOCKER_SIZE - to.length).finish();
}

/**
 * Decodes `PartialUnstaking` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not that of a partial unstake.
 */
export function decodePartialUnstake(data: Uint8Array): PartialUnstake {
  const from = new ByteReader(data, 'partial unstake');
  from.expect(PARTIAL_UNSTAKE_TAG, 'discriminator');
  return { escrow: from.address(), amount: from.u64(), expiration: from.i64() };
}

export function encodePartialUnstake({ escrow, amount, expiration }: PartialUnstake): Uint8Array {
  const to = new ByteWriter(PARTIAL_UNSTAKE_SIZE).bytes(PARTIAL_UNSTAKE_TAG);
  to.address(escrow).u64(amount).i64(expiration);
  return to.zeros(PARTIAL_UNSTAKE_SIZE - to.length).finish();
}
