import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { U64_MAX } from '../../solana/units.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public program that locks and vests tokens. Its public source is `jup-ag/jup-lock`. */
export const LOCK_PROGRAM = address('LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn');
/** PDA of `__event_authority`: signs the calls in which the program records its events. */
export const LOCK_EVENT_AUTHORITY = address('AqUDk3wybxjZujrNbKmjr2YTUZ8RA1a1nyGgs1zSmvTG');
/** Every escrow of the program has this length. */
export const ESCROW_SIZE = 296;
export const RECIPIENT_AT = 8;

const TAG = Uint8Array.of(0xf4, 0x77, 0xb7, 0x04, 0x49, 0x74, 0x87, 0xc3);

/** Who may do something with an escrow. */
export const LockMode = { NOBODY: 0, CREATOR: 1, RECIPIENT: 2, BOTH: 3 } as const;
/** The program of an escrow's tokens, as its account numbers them. */
export const LockTokenProgram = { TOKEN: 0, TOKEN_2022: 1 } as const;

/** When the tokens of an escrow unlock, and who may change what. Times are Unix seconds, amounts are atoms. */
export interface VestingTerms {
  readonly vestingStartTime: bigint;
  /** The second in which the first part unlocks, not before the start. */
  readonly cliffTime: bigint;
  /** Seconds between two parts. */
  readonly frequency: bigint;
  readonly cliffUnlockAmount: bigint;
  readonly amountPerPeriod: bigint;
  readonly periods: bigint;
  /** The `LockMode` of giving the escrow to another recipient. */
  readonly updateRecipientMode: number;
  /** The `LockMode` of cancelling the escrow. */
  readonly cancelMode: number;
}

/** Tokens that unlock for a recipient: a part at the cliff, and equal parts after it. */
export interface VestingEscrow extends VestingTerms {
  readonly recipient: Address;
  readonly mint: Address;
  readonly creator: Address;
  readonly base: Address;
  /** A `LockTokenProgram`. */
  readonly tokenProgramFlag: number;
  readonly claimed: bigint;
  /** The Unix second at which it was cancelled, or 0. */
  readonly cancelledAt: bigint;
}

/**
 * Decodes `VestingEscrow` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not an escrow's, or has amounts that the program never writes.
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
  // The bump follows from the base.
  from.skip(1);
  const modes = { updateRecipientMode: from.u8(), cancelMode: from.u8(), tokenProgramFlag: from.u8() };
  from.skip(4);
  const schedule = {
    cliffTime: from.u64(),
    frequency: from.u64(),
    cliffUnlockAmount: from.u64(),
    amountPerPeriod: from.u64(),
    periods: from.u64(),
    claimed: from.u64(),
    vestingStartTime: from.u64(),
  };
  const { cliffUnlockAmount, amountPerPeriod, periods, claimed } = schedule;
  const total = cliffUnlockAmount + amountPerPeriod * periods;
  if (total > U64_MAX || claimed > total) from.fail(`${claimed} of ${total} atoms are claimed`);
  return { ...parties, ...modes, ...schedule, cancelledAt: from.u64() };
}

/** Derives the address of an escrow, and the bump by which it signs. */
export function deriveVestingEscrow(base: Address): ProgramAddress {
  return findProgramAddress(LOCK_PROGRAM, [Buffer.from('escrow'), toAddressBytes(base)]);
}

/** Encodes an escrow as the program writes it. */
export function encodeVestingEscrow(escrow: VestingEscrow): Uint8Array {
  const to = new ByteWriter(ESCROW_SIZE).bytes(TAG);
  for (const each of [escrow.recipient, escrow.mint, escrow.creator, escrow.base]) to.address(each);
  to.u8(deriveVestingEscrow(escrow.base).bump).u8(escrow.updateRecipientMode).u8(escrow.cancelMode);
  to.u8(escrow.tokenProgramFlag).zeros(4);
  to.u64(escrow.cliffTime).u64(escrow.frequency).u64(escrow.cliffUnlockAmount);
  to.u64(escrow.amountPerPeriod).u64(escrow.periods).u64(escrow.claimed);
  to.u64(escrow.vestingStartTime).u64(escrow.cancelledAt);
  return to.zeros(ESCROW_SIZE - to.length).finish();
}
