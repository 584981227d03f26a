import { createRpcAccountSource } from '../../../chain/clone/account-source.ts';
import { callRpc } from '../../../chain/clone/rpc-call.ts';
import { listEmittedEvents } from '../../../chain/events/emitted-events.ts';
import { requireRecord } from '../../../chain/records/account-json.ts';
import { readTransaction } from '../../../chain/rpc/submission/read-transaction.ts';
import type { PostLimits } from '../../../common/bounded-post.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { decodeInvite, type InviteAccount } from '../../../protocols/jupiter-send/invite-account.ts';
import { decodeInviteEvent, type InviteEvent } from '../../../protocols/jupiter-send/invite-events.ts';
import {
  deriveInvite,
  deriveInviteVault,
  INVITE_EVENT_AUTHORITY,
  INVITE_PROGRAM,
} from '../../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { isTokenProgram, SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import { decodeClock } from '../../../solana/programs/clock.ts';

/** How an invite ended. */
export type EndedInvite = Exclude<InviteEvent, { kind: 'created' }>;

const ENDS = {
  claimed: 'claimed',
  clawedBack: 'taken back by its sender',
  expired: 'returned to its sender after its expiry',
};

/** Describes an end as what was done to the invite. */
export function describeEnd(end: EndedInvite): string {
  return end.kind === 'claimed' ? `${ENDS.claimed} by ${end.receiver}` : ENDS[end.kind];
}

/** What the chain says of an invite. */
export type FoundInvite =
  | { readonly kind: 'open'; readonly invite: InviteAccount; readonly hasExpired: boolean }
  | { readonly kind: 'ended'; readonly end: EndedInvite; readonly signature: string }
  /** No invite of the key is known. Nodes forget old transactions, so there may have been one. */
  | { readonly kind: 'unknown' };

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 };
/** Transactions of an invite that are looked at. Anybody can name its address in others, which hide the end only from this command. */
const MAX_TRANSACTIONS = 50;

/**
 * Finds the invite of a key: its account if it is open, or else how the last one of this key ended.
 *
 * @param rpc - A Solana RPC.
 * @throws OperatorError when the RPC does not answer, or shows what cannot be an invite of the key.
 */
export async function findInvite(rpc: URL, inviteKey: Address): Promise<FoundInvite> {
  const { address } = deriveInvite(inviteKey);
  const [account = null, clock = null] = await createRpcAccountSource(rpc, LIMITS).read([
    address,
    SYSVAR_CLOCK,
  ]);
  if (account === null || account.owner !== INVITE_PROGRAM) return findEnd(rpc, address);
  if (clock === null) throw new OperatorError(`${rpc.origin} has no clock`);
  let found: { readonly invite: InviteAccount; readonly now: bigint };
  try {
    found = { invite: decodeInvite(account.data), now: decodeClock(clock.data).unixTimestamp };
  } catch (error) {
    if (!(error instanceof LayoutInvalid)) throw error;
    throw new OperatorError(
      `the network at ${rpc.origin} has another program of invites than this one: ${error.message}`,
    );
  }
  const { invite, now } = found;
  if (!isPossible(invite, inviteKey, address)) {
    throw new OperatorError(
      `${rpc.origin} shows an account at ${address} that the program of invites cannot have made`,
    );
  }
  return { kind: 'open', invite, hasExpired: now >= invite.expiresAt };
}

/** A node may be a stranger's, and what is signed is checked against the account that it shows. */
function isPossible({ inviteKey, token }: InviteAccount, key: Address, invite: Address): boolean {
  if (inviteKey !== key) return false;
  if (token === null) return true;
  const { mint, tokenProgram, vault } = token;
  return isTokenProgram(tokenProgram) && vault === deriveInviteVault(invite, mint, tokenProgram);
}

async function findEnd(rpc: URL, invite: Address): Promise<FoundInvite> {
  const config = { limit: MAX_TRANSACTIONS, commitment: 'confirmed' };
  const listed = await callRpc(rpc, 'getSignaturesForAddress', [invite, config], LIMITS);
  for (const signature of readSignatures(listed)) {
    for (const event of (await readInviteEvents(rpc, signature)).toReversed()) {
      if (event.invite !== invite) continue;
      // The account is gone, so the end is only not listed yet.
      return event.kind === 'created' ? { kind: 'unknown' } : { kind: 'ended', end: event, signature };
    }
  }
  return { kind: 'unknown' };
}

/** Returns the signatures of the transactions that succeeded, the newest first. */
function readSignatures(listed: unknown): readonly string[] {
  if (!Array.isArray(listed)) throw new OperatorError('getSignaturesForAddress answered no list');
  return listed.flatMap((each: unknown) => {
    const { signature, err } = requireRecord(each, 'getSignaturesForAddress');
    return typeof signature === 'string' && (err ?? null) === null ? [signature] : [];
  });
}

/**
 * Reads the events of invites in a confirmed transaction. Returns none if the node does not have the transaction.
 *
 * @throws OperatorError when the RPC does not answer.
 */
export async function readInviteEvents(rpc: URL, signature: string): Promise<readonly InviteEvent[]> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const transaction = readTransaction(
    await callRpc(rpc, 'getTransaction', [signature, config], LIMITS),
    signature,
  );
  if (transaction === null) return [];
  const emitting = { program: INVITE_PROGRAM, eventAuthority: INVITE_EVENT_AUTHORITY };
  return listEmittedEvents(transaction, emitting).flatMap(({ data }) => decodeInviteEvent(data) ?? []);
}
