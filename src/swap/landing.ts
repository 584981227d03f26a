import { type Chain, ChainUnavailable, SendRejected, type SignatureStatus } from '../chain/chain.ts';
import type { Timers } from '../ports/timers.ts';

/** A fully signed transaction and how long it is good for. */
export interface Landable {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
}

export type Landing =
  /** Confirmed, whether it succeeded or failed. */
  | { readonly kind: 'landed'; readonly status: SignatureStatus }
  /** It is not in any block and can no longer get into one. */
  | { readonly kind: 'expired' }
  /** The network does not take it. */
  | { readonly kind: 'rejected'; readonly error: unknown; readonly logs: readonly string[] }
  /** The network did not say what became of it. */
  | { readonly kind: 'unknown' };

const POLL_MS = 200;
/** As often as RPC nodes send again what they were given. */
const RESEND_MS = 2_000;
/** Twice what it takes until 150 slots have passed when the network is well. */
const LONGEST_MS = 120_000;

/**
 * Sends the transaction again and again until it is confirmed or its blockhash has run out. A network that does not
 * answer for a while is asked again: what is sent twice still lands once.
 */
export async function land(chain: Chain, timers: Timers, transaction: Landable): Promise<Landing> {
  const giveUpAt = timers.now() + LONGEST_MS;
  let sendAt = timers.now();
  for (;;) {
    // Read before the status: what is not there when its last block is final never will be.
    const isOver = chain.blockHeight('finalized') > transaction.lastValidBlockHeight;
    const status = await statusOf(chain, transaction.signature);
    if (status !== 'unanswered' && status !== null && status.commitment !== 'processed') {
      return { kind: 'landed', status };
    }
    if (isOver && status === null) return { kind: 'expired' };
    if (timers.now() >= giveUpAt) return { kind: 'unknown' };
    if (maySend(chain, transaction) && timers.now() >= sendAt) {
      sendAt = timers.now() + RESEND_MS;
      const rejection = await send(chain, transaction.wire);
      if (rejection !== null) return { kind: 'rejected', ...rejection };
      continue;
    }
    await new Promise<void>((resolve) => timers.after(POLL_MS, resolve));
  }
}

function maySend(chain: Chain, { lastValidBlockHeight }: Landable): boolean {
  return chain.blockHeight('confirmed') <= lastValidBlockHeight;
}

export async function statusOf(
  chain: Chain,
  signature: string,
): Promise<SignatureStatus | null | 'unanswered'> {
  try {
    const [status] = await chain.signatureStatuses([signature]);
    return status ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return 'unanswered';
    throw error;
  }
}

/** Null when it was taken in, or may be the next time. */
async function send(
  chain: Chain,
  wire: Uint8Array,
): Promise<{ readonly error: unknown; readonly logs: readonly string[] } | null> {
  try {
    // What a preflight would refuse is to fail on chain, where everybody can see it.
    await chain.send(wire, { skipPreflight: true });
    return null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    if (!(error instanceof SendRejected)) throw error;
    const { transactionError, logs } = error;
    // Without an error of the transaction it is the network that has no room; a duplicate has landed before.
    if (transactionError === null || transactionError === 'AlreadyProcessed') return null;
    return { error: transactionError, logs };
  }
}
