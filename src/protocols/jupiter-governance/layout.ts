import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public program that locks tokens to vote with. */
export const VOTER_PROGRAM = address('voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj');
/** The locker of JUP. */
export const JUP_LOCKER = address('CVMdMd79no569tjc5Sq7kzz8isbfCcFyBS5TLGsrZ5dN');
export const JUP_MINT = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');

/** The key from which the program derives the locker of JUP, and its governor. */
export const JUP_GOVERNANCE_BASE = address('bJ1TRoFo2P6UHVwqdiipp6Qhp2HaaHpLowZ5LHet8Gm');
/** The public program of proposals, which a locker's governor belongs to. */
export const GOVERN_PROGRAM = address('GovaE4iu227srtG2s3tZzB4RmWBzw8sTwrCLZz7kN7rY');

const ESCROW_SIZE = 322;
/** Without the memo, whose length is before it. */
const PARTIAL_UNSTAKE_SIZE = 156;
export const PARTIAL_UNSTAKE_ESCROW_AT = 8;

const LOCKER_SIZE = 665;
const GOVERNOR_SIZE = 729;

const LOCKER_TAG = Uint8Array.of(0x4a, 0xf6, 0x06, 0x71, 0xf9, 0xe4, 0x4b, 0xa9);
const GOVERNOR_TAG = Uint8Array.of(0x25, 0x88, 0x2c, 0x50, 0x44, 0x55, 0xd5, 0xb2);
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

/** A stake as the program has left it. */
export interface WrittenVoteEscrow extends VoteEscrow {
  /** Atoms that are being unstaked in parts: the sum of all of them. */
  readonly unstaking: bigint;
}

/** The terms of votes. */
export interface Locker {
  readonly mint: Address;
  /** The votes of an atom that is locked for `maxDuration`. */
  readonly multiplier: number;
  /** Seconds. */
  readonly maxDuration: bigint;
}

/** A locker as the program has left it. */
export interface WrittenLocker extends Locker {
  readonly base: Address;
  /** Atoms in all escrows, with those that are being unstaked. */
  readonly lockedSupply: bigint;
  readonly escrows: bigint;
  readonly governor: Address;
  /** The least seconds for which tokens can be locked. */
  readonly minDuration: bigint;
  /** The votes that activate a proposal. */
  readonly activationVotes: bigint;
}

/** A part of a stake that is being unstaked. */
export interface PartialUnstake {
  readonly escrow: Address;
  /** Atoms. */
  readonly amount: bigint;
  /** The Unix second from which it can be withdrawn. */
  readonly expiration: bigint;
}

function deriveVoteEscrow(locker: Address, owner: Address): ProgramAddress {
  return findProgramAddress(VOTER_PROGRAM, [
    Buffer.from('Escrow'),
    toAddressBytes(locker),
    toAddressBytes(owner),
  ]);
}

export function deriveVoteEscrowAddress(locker: Address, owner: Address): Address {
  return deriveVoteEscrow(locker, owner).address;
}

function deriveLocker(base: Address): ProgramAddress {
  return findProgramAddress(VOTER_PROGRAM, [Buffer.from('Locker'), toAddressBytes(base)]);
}

export function deriveGovernor(base: Address): ProgramAddress {
  return findProgramAddress(GOVERN_PROGRAM, [Buffer.from('Governor'), toAddressBytes(base)]);
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

/** Encodes the stake of an owner who votes himself. */
export function encodeVoteEscrow(escrow: WrittenVoteEscrow): Uint8Array {
  const { locker, owner } = escrow;
  const to = new ByteWriter(ESCROW_SIZE).bytes(ESCROW_TAG).address(locker).address(owner);
  to.u8(deriveVoteEscrow(locker, owner).bump);
  to.address(escrow.tokens).u64(escrow.amount).i64(escrow.startedAt).i64(escrow.endsAt);
  to.address(owner).bool(escrow.isMaxLock).u64(escrow.unstaking);
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

export function encodeLocker(locker: WrittenLocker): Uint8Array {
  const { base } = locker;
  const to = new ByteWriter(LOCKER_SIZE).bytes(LOCKER_TAG).address(base).u8(deriveLocker(base).bump);
  to.address(locker.mint).u64(locker.lockedSupply).u64(locker.escrows).address(locker.governor);
  to.u8(locker.multiplier).u64(locker.minDuration).u64(locker.maxDuration).u64(locker.activationVotes);
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

/** @param memo - What the owner wrote, which makes the account longer. */
export function encodePartialUnstake({ escrow, amount, expiration }: PartialUnstake, memo = ''): Uint8Array {
  const text = Buffer.from(memo);
  const to = new ByteWriter(PARTIAL_UNSTAKE_SIZE + text.length).bytes(PARTIAL_UNSTAKE_TAG);
  to.address(escrow)
    .u64(amount)
    .i64(expiration)
    .zeros(6 * 16)
    .u32(text.length);
  return to.bytes(text).finish();
}

/**
 * Encodes `Governor` of the program's public source, without proposals and without rewards for votes.
 *
 * @param seconds - How long a proposal waits, is voted on, and waits again before it is carried out.
 */
export function encodeGovernor(
  base: Address,
  {
    locker,
    smartWallet,
    quorumVotes,
    seconds,
  }: {
    readonly locker: Address;
    readonly smartWallet: Address;
    readonly quorumVotes: bigint;
    readonly seconds: { readonly delay: bigint; readonly voting: bigint; readonly timelock: bigint };
  },
): Uint8Array {
  const to = new ByteWriter(GOVERNOR_SIZE).bytes(GOVERNOR_TAG).address(base).u8(deriveGovernor(base).bump);
  to.u64(0n).address(locker).address(smartWallet);
  to.u64(seconds.delay).u64(seconds.voting).u64(quorumVotes).i64(seconds.timelock);
  return to.zeros(GOVERNOR_SIZE - to.length).finish();
}
