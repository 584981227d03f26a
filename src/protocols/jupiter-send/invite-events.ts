import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { readMaybeAddress } from '../../solana/programs/token/extensions.ts';

/** What every event of an invite says, so that an index needs no account for it. */
interface InviteEventFields {
  readonly invite: Address;
  readonly inviteKey: Address;
  readonly sender: Address;
  /** Null for SOL. */
  readonly mint: Address | null;
  /** What the invite was created with, in atoms. */
  readonly amount: bigint;
  /** The first Unix second in which the invite has expired. */
  readonly expiresAt: bigint;
}

export interface InviteCreated extends InviteEventFields {
  readonly kind: 'created';
}

export interface InviteClaimed extends InviteEventFields {
  readonly kind: 'claimed';
  readonly receiver: Address;
  /** What arrived at the receiver, in atoms: it differs from the amount by transfer fees, and by what others sent or took. */
  readonly delivered: bigint;
}

export interface InviteReturned extends InviteEventFields {
  readonly kind: 'clawedBack' | 'expired';
  /** What arrived at the sender, in atoms, as for a claim. */
  readonly delivered: bigint;
}

/** An event of the program. */
export type InviteEvent = InviteCreated | InviteClaimed | InviteReturned;

/** The first bytes of the data of a call of the program to itself. */
const CALL_TAG = Buffer.from('e445a52e51cb9a1d', 'hex');
const KINDS: ReadonlyMap<string, InviteEvent['kind']> = new Map([
  ['ebc78bbb2757f17c', 'created'],
  ['1bb215b854aea9bd', 'claimed'],
  ['577a6592f171822e', 'clawedBack'],
  ['0a7e44d32dffe861', 'expired'],
]);

/**
 * Decodes the data of a call of the program to itself, by which it emits an event.
 * Returns null for the data of another instruction, and for an event that is not known.
 *
 * @throws LayoutInvalid when an event is cut short.
 */
export function decodeInviteEvent(data: Uint8Array): InviteEvent | null {
  if (data.length < 16 || Buffer.compare(data.subarray(0, 8), CALL_TAG) !== 0) return null;
  const kind = KINDS.get(Buffer.from(data.subarray(8, 16)).toString('hex'));
  if (kind === undefined) return null;
  const from = new ByteReader(data, 'event of invites', 16);
  const [invite, inviteKey, sender, receiver] = [
    from.address(),
    from.address(),
    from.address(),
    from.address(),
  ];
  const mint = readMaybeAddress(from);
  const fields = { invite, inviteKey, sender, mint, amount: from.u64(), expiresAt: from.i64() };
  if (kind === 'created') return { kind, ...fields };
  const delivered = from.u64();
  return kind === 'claimed' ? { kind, ...fields, receiver, delivered } : { kind, ...fields, delivered };
}
