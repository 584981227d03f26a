import type { Address } from '../../solana/address.ts';
import type { InviteEnd, InviteEndKind, RecordedInvite } from '../invite.ts';
import type { invites } from './invite-tables.ts';

type InviteRow = typeof invites.$inferSelect;

const STATES = {
  claimed: 'claimed',
  clawedBack: 'clawed_back',
  expired: 'expired',
} as const satisfies Record<InviteEndKind, string>;
const END_KINDS: ReadonlyMap<string, InviteEndKind> = new Map(
  (['claimed', 'clawedBack', 'expired'] as const).map((kind) => [STATES[kind], kind]),
);
const LAST_SECOND = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns all columns of an invite except where it stands: its network and its number. */
export function toInviteColumns(recorded: RecordedInvite): Omit<InviteRow, 'network' | 'number'> {
  const { invite, inviteKey, sender, mint, amount, creationSignature, createdAt, expiresAt, end } = recorded;
  return {
    invite,
    inviteKey,
    sender,
    mint,
    amount: String(amount),
    creationSignature,
    createdAt: createdAt === null ? null : Number(createdAt),
    expiresAt: String(expiresAt),
    expirySecond: toExpirySecond(expiresAt),
    state: end === null ? 'open' : STATES[end.kind],
    endSignature: end?.signature ?? null,
    endedAt: end === null ? null : Number(end.at),
    receiver: end?.receiver ?? null,
  };
}

/** Returns the second of an expiry as its column has it. */
export function toExpirySecond(expiresAt: bigint): number {
  return Number(expiresAt < LAST_SECOND ? expiresAt : LAST_SECOND);
}

/** @throws Error when the end of the row cannot be read. */
export function readInviteRow(row: InviteRow): RecordedInvite {
  return {
    invite: row.invite as Address,
    inviteKey: row.inviteKey as Address,
    sender: row.sender as Address,
    mint: row.mint as Address | null,
    amount: BigInt(row.amount),
    creationSignature: row.creationSignature,
    createdAt: row.createdAt === null ? null : BigInt(row.createdAt),
    expiresAt: BigInt(row.expiresAt),
    end: row.state === 'open' ? null : readEnd(row),
  };
}

function readEnd({ number, state, endSignature, endedAt, receiver }: InviteRow): InviteEnd {
  const kind = END_KINDS.get(state);
  if (kind === undefined || endSignature === null || endedAt === null) {
    throw new Error(`the row of invite ${number} has an end that cannot be read`);
  }
  return { kind, signature: endSignature, at: BigInt(endedAt), receiver: receiver as Address | null };
}
