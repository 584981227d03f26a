import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader, LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public program that pays out airdrops whose shares are in a Merkle tree. */
export const DISTRIBUTOR_PROGRAM = address('DiS3nNjFVMieMgmiQFm6wgJL7nevk4NrhXKLbtEH1Z2R');

const CLAIM_STATUS_SIZE = 160;
/** The offset of the claimant in a claim status. */
export const CLAIMANT_AT = 72;
const DISTRIBUTOR_SIZE = 448;

const CLAIM_STATUS_TAG = Uint8Array.of(0x16, 0xb7, 0xf9, 0x9d, 0xf7, 0x5f, 0x96, 0x60);
const DISTRIBUTOR_TAG = Uint8Array.of(0x4d, 0x77, 0x8b, 0x46, 0x54, 0xf7, 0x0c, 0x1a);

/** The state of one wallet's claims on one distributor, which the first claim creates. Amounts are atoms. */
export interface ClaimStatus {
  readonly distributor: Address;
  readonly claimant: Address;
  /** The amount that unlocks over time. */
  readonly lockedAmount: bigint;
  /** The part of `lockedAmount` that was paid out. */
  readonly lockedAmountWithdrawn: bigint;
  /** The amount that was paid out with the first claim. */
  readonly unlockedAmount: bigint;
  /** The additional amount that was paid out with the first claim, for claiming late. */
  readonly bonusAmount: bigint;
}

/** The terms of an airdrop. Amounts are atoms. */
export interface Distributor {
  readonly mint: Address;
  /** The token account that claims are paid from. */
  readonly tokenVault: Address;
  readonly maxTotalClaim: bigint;
  readonly totalAmountClaimed: bigint;
  /** The Unix second at which locked amounts begin to unlock. The next one is the end. */
  readonly startsAt: bigint;
  readonly endsAt: bigint;
  /** The slot or Unix second from which claims are paid. */
  readonly activationPoint: bigint;
  readonly activationType: 'slot' | 'timestamp';
  /** Whether unclaimed tokens were taken back. Nothing is paid after that. */
  readonly isClawedBack: boolean;
}

/**
 * Decodes `ClaimStatus` of the program's public source.
 *
 * @throws LayoutInvalid when the data is not a claim status.
 */
export function decodeClaimStatus(data: Uint8Array): ClaimStatus {
  const from = new ByteReader(data, 'claim status');
  from.expect(CLAIM_STATUS_TAG, 'discriminator');
  from.skip(32);
  return {
    distributor: from.address(),
    claimant: from.address(),
    lockedAmount: from.u64(),
    lockedAmountWithdrawn: from.u64(),
    unlockedAmount: from.u64(),
    bonusAmount: from.u64(),
  };
}

/** Whether the data is a distributor, which has its base where a claim status has the claimant. */
export function isDistributor(data: Uint8Array): boolean {
  return DISTRIBUTOR_TAG.every((byte, at) => data[at] === byte);
}

export function deriveClaimStatusAddress(claimant: Address, distributor: Address): Address {
  const seeds = [Buffer.from('ClaimStatus'), toAddressBytes(claimant), toAddressBytes(distributor)];
  return findProgramAddress(DISTRIBUTOR_PROGRAM, seeds).address;
}

/** @param admin - The admin of the distributor. */
export function encodeClaimStatus(claim: ClaimStatus, admin: Address): Uint8Array {
  const to = new ByteWriter(CLAIM_STATUS_SIZE).bytes(CLAIM_STATUS_TAG).address(admin);
  to.address(claim.distributor).address(claim.claimant).u64(claim.lockedAmount);
  to.u64(claim.lockedAmountWithdrawn).u64(claim.unlockedAmount).u64(claim.bonusAmount);
  return to.zeros(CLAIM_STATUS_SIZE - to.length).finish();
}

/**
 * Decodes `MerkleDistributor` of the program's public source.
 *
 * @throws LayoutInvalid when the data is not a distributor's.
 */
export function decodeDistributor(data: Uint8Array): Distributor {
  const from = new ByteReader(data, 'airdrop distributor');
  from.expect(DISTRIBUTOR_TAG, 'discriminator');
  from.skip(32);
  const mint = from.address();
  from.skip(32);
  const tokenVault = from.address();
  from.skip(4 * 32 + 8);
  const maxTotalClaim = from.u64();
  from.skip(8);
  const totalAmountClaimed = from.u64();
  from.skip(8);
  const [startsAt, endsAt] = [from.i64(), from.i64()];
  from.skip(8);
  const activationPoint = from.u64();
  const activationType = toActivationType(from.u8());
  from.skip(2);
  return {
    mint,
    tokenVault,
    maxTotalClaim,
    totalAmountClaimed,
    startsAt,
    endsAt,
    activationPoint,
    activationType,
    isClawedBack: from.u8() === 1,
  };
}

/** What else a distributor has, where a claim needs no second signature and stakes nothing. */
export interface DistributorParties {
  readonly base: Address;
  readonly admin: Address;
  readonly clawbackReceiver: Address;
  /** The share of the only wallet that may claim. */
  readonly only: { readonly claimant: Address; readonly unlocked: bigint; readonly locked: bigint };
}

export function deriveDistributor(base: Address, mint: Address): ProgramAddress {
  const seeds = [
    Buffer.from('MerkleDistributor'),
    toAddressBytes(base),
    toAddressBytes(mint),
    new Uint8Array(8),
  ];
  return findProgramAddress(DISTRIBUTOR_PROGRAM, seeds);
}

/** Hashes the share of a wallet as a leaf of the Merkle tree, which is the root of a tree with one leaf. */
function hashAirdropLeaf({ claimant, unlocked, locked }: DistributorParties['only']): Uint8Array {
  const share = new ByteWriter(48).address(claimant).u64(unlocked).u64(locked).finish();
  return sha256(Uint8Array.of(0, ...sha256(share)));
}

/** Writes the first version of a distributor, from which one wallet may claim and has claimed. */
export function encodeDistributor(distributor: Distributor, parties: DistributorParties): Uint8Array {
  const { base, admin, clawbackReceiver, only } = parties;
  const to = new ByteWriter(DISTRIBUTOR_SIZE).bytes(DISTRIBUTOR_TAG).bytes(hashAirdropLeaf(only));
  to.address(distributor.mint).address(base).address(distributor.tokenVault).address(clawbackReceiver);
  to.address(admin)
    .zeros(2 * 32)
    .u64(0n)
    .u64(distributor.maxTotalClaim)
    .u64(1n);
  to.u64(distributor.totalAmountClaimed).u64(1n).i64(distributor.startsAt).i64(distributor.endsAt);
  // Unclaimed tokens can be taken back a day after the end at the earliest.
  to.i64(distributor.endsAt + 86_400n).u64(distributor.activationPoint);
  to.u8(distributor.activationType === 'slot' ? 0 : 1)
    .u8(0)
    .u8(deriveDistributor(base, distributor.mint).bump)
    .u8(distributor.isClawedBack ? 1 : 0);
  return to.zeros(DISTRIBUTOR_SIZE - to.length).finish();
}

function toActivationType(value: number): Distributor['activationType'] {
  if (value > 1)
    throw new LayoutInvalid(`an airdrop distributor has the activation type ${value}, which is unknown`);
  return value === 0 ? 'slot' : 'timestamp';
}
