import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public program that locks and vests tokens. */
export const LOCK_PROGRAM = address('LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn');
/** Every escrow of the program has this length. */
export const ESCROW_SIZE = 296;
export const RECIPIENT_AT = 8;

const TAG = Uint8Array.of(0xf4, 0x77, 0xb7, 0x04, 0x49, 0x74, 0x87, 0xc3);

/** Tokens that unlock for a recipient: a part at the cliff, and equal parts after it. Amounts are atoms. */
export interface VestingEscrow {
  readonly recipient: Address;
  readonly mint: Address;
  readonly creator: Address;
  readonly base: Address;
  /** Unix second. */
  readonly cliffTime: bigint;
  /** Seconds between two parts. */
  readonly frequency: bigint;
  readonly cliffUnlockAmount: bigint;
  readonly amountPerPeriod: bigint;
  readonly periods: bigint;
  readonly claimed: bigint;
  /** The Unix second at which it was cancelled, or 0. */
  readonly cancelledAt: bigint;
}

/**
 * Decodes `VestingEscrow` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an escrow's.
 */
export function decodeVestingEscrow(data: Uint8Array): VestingEscrow {
  const from = new ByteReader(data, 'vesting escrow');
  from.expect(TAG, 'discriminator');
  const parties = {
    recipient: from.address(),
    mint: from.address(),
    creator: from.address(),
    base: from.address(),
  };
  from.skip(8);
  const terms = {
    cliffTime: from.u64(),
    frequency: from.u64(),
    cliffUnlockAmount: from.u64(),
    amountPerPeriod: from.u64(),
    periods: from.u64(),
    claimed: from.u64(),
  };
  from.skip(8);
  return { ...parties, ...terms, cancelledAt: from.u64() };
}

export function deriveVestingEscrow(base: Address): ProgramAddress {
  return findProgramAddress(LOCK_PROGRAM, [Buffer.from('escrow'), toAddressBytes(base)]);
}

/** Encodes an escrow of tokens of the classic token program that nobody can cancel or redirect. */
export function encodeVestingEscrow(escrow: VestingEscrow): Uint8Array {
  const to = new ByteWriter(ESCROW_SIZE).bytes(TAG);
  for (const each of [escrow.recipient, escrow.mint, escrow.creator, escrow.base]) to.address(each);
  to.u8(deriveVestingEscrow(escrow.base).bump)
    .zeros(7)
    .u64(escrow.cliffTime)
    .u64(escrow.frequency)
    .u64(escrow.cliffUnlockAmount);
  to.u64(escrow.amountPerPeriod).u64(escrow.periods).u64(escrow.claimed).u64(escrow.cliffTime);
  to.u64(escrow.cancelledAt);
  return to.zeros(ESCROW_SIZE - to.length).finish();
}
