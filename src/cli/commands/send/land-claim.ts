import { callRpc } from '../../../chain/clone/rpc-call.ts';
import { requireRecord } from '../../../chain/records/account-json.ts';
import { readStatuses } from '../../../chain/rpc/submission/read-transaction.ts';
import { type PostLimits, Unreachable } from '../../../common/bounded-post.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { type Timers, wait } from '../../../common/ports/timers.ts';
import type { InviteClaimed, InviteEvent } from '../../../protocols/jupiter-send/invite-events.ts';
import { getTransactionSignature, parseTransaction } from '../../../solana/messages/transaction.ts';
import { readInviteEvents } from './find-invite.ts';

const LIMITS: PostLimits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };
const ASK_EVERY_MS = 400;
/** The transaction is sent again with every so many questions, because nodes drop transactions. */
const SEND_EVERY = 5;
/** Longer than a blockhash lives on any public network. */
const MAX_MS = 180_000;
/**
 * The answers in a row, without one about the transaction, that the blockhash is not valid, until it counts as expired. A node
 * that is some slots behind does not know a new blockhash yet.
 */
const EXPIRED_ANSWERS = 10;
/** How often the confirmed transaction is asked for, which some nodes have later than its status. */
const READ_ATTEMPTS = 25;

export interface LandedClaim {
  readonly signature: string;
  /** What the program says that arrived. Null if the node does not return the transaction. */
  readonly event: InviteClaimed | null;
}

/**
 * Sends a signed claim until it is confirmed, or can no longer land.
 *
 * @param rpc - The Solana RPC that it is sent to.
 * @throws OperatorError when it is refused, fails or expires, or its outcome stays unknown.
 */
export async function landClaim(rpc: URL, wire: Uint8Array, timers: Timers): Promise<LandedClaim> {
  const transaction = parseTransaction(wire);
  const signature = getTransactionSignature(transaction);
  const giveUpAt = timers.now() + MAX_MS;
  const send = () => callRpc(rpc, 'sendTransaction', [Buffer.from(wire).toString('base64'), SENDING], LIMITS);
  // A refusal of the first sending is final. Without an answer, it may be under way.
  await send().catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
  });
  let expired = 0;
  for (let asked = 1; timers.now() < giveUpAt; asked++) {
    // A question that fails is asked again: the transaction is out.
    const state = await readState(rpc, signature, transaction.message.blockhash).catch(() => null);
    if (state?.kind === 'landed') return { signature, event: await readClaim(rpc, signature, timers) };
    if (state?.kind === 'failed') {
      throw new OperatorError(`the transaction ${signature} failed: ${formatForError(state.error)}`);
    }
    expired = state?.kind === 'expired' ? expired + 1 : 0;
    if (expired === EXPIRED_ANSWERS) {
      throw new OperatorError(`the transaction ${signature} did not land in time; run the command again`);
    }
    if (asked % SEND_EVERY === 0) await send().catch(() => undefined);
    await wait(ASK_EVERY_MS, timers);
  }
  throw new OperatorError(
    `${rpc.origin} does not say whether the transaction ${signature} has landed; see whether the invite is claimed with sluice send show`,
  );
}

const SENDING = { encoding: 'base64', preflightCommitment: 'processed' };

type ClaimState =
  | { readonly kind: 'pending' | 'landed' | 'expired' }
  | { readonly kind: 'failed'; readonly error: unknown };

async function readState(rpc: URL, signature: string, blockhash: string): Promise<ClaimState> {
  const validity = await callRpc(rpc, 'isBlockhashValid', [blockhash, { commitment: 'confirmed' }], LIMITS);
  const { value: isValid } = requireRecord(validity, 'isBlockhashValid');
  // Asked for after the blockhash: a transaction that has landed before its end is in the answer.
  const statuses = await callRpc(rpc, 'getSignatureStatuses', [[signature]], LIMITS);
  const [status = null] = readStatuses(statuses, 1);
  if (status === null) return { kind: isValid === false ? 'expired' : 'pending' };
  if (status.commitment === 'processed') return { kind: 'pending' };
  return status.error === null ? { kind: 'landed' } : { kind: 'failed', error: status.error };
}

async function readClaim(rpc: URL, signature: string, timers: Timers): Promise<InviteClaimed | null> {
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
    const events: readonly InviteEvent[] = await readInviteEvents(rpc, signature).catch(() => []);
    const claimed = events.find((event) => event.kind === 'claimed');
    if (claimed !== undefined) return claimed;
    await wait(ASK_EVERY_MS, timers);
  }
  return null;
}
