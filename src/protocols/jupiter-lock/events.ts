import type { Address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import { readSelfCalledEvent } from '../../solana/programs/self-called-event.ts';
import type { VestingTerms } from './layout.ts';

// The events of the public IDL `locker` that the instructions of single escrows record. Amounts are atoms, times are
// Unix seconds.

export interface VestingCreated extends VestingTerms {
  readonly kind: 'created';
  readonly recipient: Address;
  readonly escrow: Address;
}

export interface VestingClaimed {
  readonly kind: 'claimed';
  readonly amount: bigint;
  readonly currentTime: bigint;
  readonly escrow: Address;
}

export interface VestingRecipientUpdated {
  readonly kind: 'recipientUpdated';
  readonly escrow: Address;
  readonly oldRecipient: Address;
  readonly newRecipient: Address;
  readonly signer: Address;
}

export interface VestingCancelled {
  readonly kind: 'cancelled';
  readonly escrow: Address;
  readonly signer: Address;
  /** What the recipient got. */
  readonly claimableAmount: bigint;
  /** What the creator got back. */
  readonly remainingAmount: bigint;
  readonly cancelledAt: bigint;
}

export interface VestingClosed {
  readonly kind: 'closed';
  readonly escrow: Address;
}

export type VestingEvent =
  | VestingCreated
  | VestingClaimed
  | VestingRecipientUpdated
  | VestingCancelled
  | VestingClosed;

/** The length of each event's fields, and what reads them, by discriminator. */
const EVENTS: ReadonlyMap<
  string,
  { readonly size: number; readonly read: (from: ByteReader) => VestingEvent }
> = new Map([
  ['f8de593daad08375', { size: 114, read: readCreated }],
  ['ab9001bd78c8260b', { size: 48, read: readClaimed }],
  ['ceda214185ed8339', { size: 128, read: readRecipientUpdated }],
  ['710275adc327659b', { size: 88, read: readCancelled }],
  ['2d8dfdd1c48515cc', { size: 32, read: readClosed }],
]);

/**
 * Decodes an event from the data of a call that the program made to itself.
 *
 * Returns null if the data is none of the events or is cut short.
 *
 * @example
 * ```ts
 * import { decodeVestingEvent } from './events.ts';
 *
 * decodeVestingEvent(new Uint8Array(8)); // null
 * ```
 */
export function decodeVestingEvent(data: Uint8Array): VestingEvent | null {
  const emitted = readSelfCalledEvent(data, 'event of a vesting escrow');
  const event = emitted === null ? undefined : EVENTS.get(emitted.tag);
  if (emitted === null || event === undefined || emitted.fields.remaining < event.size) return null;
  return event.read(emitted.fields);
}

function readCreated(from: ByteReader): VestingCreated {
  return {
    kind: 'created',
    vestingStartTime: from.u64(),
    cliffTime: from.u64(),
    frequency: from.u64(),
    cliffUnlockAmount: from.u64(),
    amountPerPeriod: from.u64(),
    periods: from.u64(),
    updateRecipientMode: from.u8(),
    cancelMode: from.u8(),
    recipient: from.address(),
    escrow: from.address(),
  };
}

function readClaimed(from: ByteReader): VestingClaimed {
  return { kind: 'claimed', amount: from.u64(), currentTime: from.u64(), escrow: from.address() };
}

function readRecipientUpdated(from: ByteReader): VestingRecipientUpdated {
  return {
    kind: 'recipientUpdated',
    escrow: from.address(),
    oldRecipient: from.address(),
    newRecipient: from.address(),
    signer: from.address(),
  };
}

function readCancelled(from: ByteReader): VestingCancelled {
  return {
    kind: 'cancelled',
    escrow: from.address(),
    signer: from.address(),
    claimableAmount: from.u64(),
    remainingAmount: from.u64(),
    cancelledAt: from.u64(),
  };
}

function readClosed(from: ByteReader): VestingClosed {
  return { kind: 'closed', escrow: from.address() };
}
