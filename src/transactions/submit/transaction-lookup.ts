import { type Chain, ChainUnavailable, type SignatureStatus } from '../../chain/chain.ts';
import { readBlockhashLifetime } from '../../chain/recent-blockhashes.ts';
import { type Timers, wait } from '../../common/ports/timers.ts';

/**
 * What a node says of a transaction. `denied`: the last block height at which it is sent has passed, and the node knows of no
 * block that contains it. The node can be wrong, and a transaction with a durable nonce could land later. Null: it is in no
 * block so far, or the node does not know enough to deny it.
 */
export type TransactionLookup = SignatureStatus | 'denied' | 'unanswered' | null;

interface LookedUpTransaction {
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
}

/** The number of answers in a row that must deny a transaction, because the nodes behind one URL need not agree. */
export const MAX_DENIALS = 3;
/** The most signatures whose statuses nodes return in one call. */
export const STATUSES_PER_CALL = 256;
/** Milliseconds between two searches for a transaction. */
export const SEARCH_MS = 400;

/**
 * A node without history knows the transactions of the last 300 blocks. 50 of them are a reserve for nodes that are ahead
 * of what the network calls final. Those with one blockhash are within its lifetime, mostly 150 blocks.
 */
const KNOWN_BLOCKS = 250n;

/**
 * Looks for the transaction in everything that a node knows.
 * Returns `denied` when the node has seen a final block in which the transaction could no longer be, and knows of none
 * that contains it; null when the transaction may still land, or the node does not know enough to deny it.
 */
export async function searchTransaction(
  chain: Chain,
  { signature, lastValidBlockHeight }: LookedUpTransaction,
): Promise<TransactionLookup> {
  try {
    const { status, slot, finalized, hasHistory } = await chain.searchSignature(signature);
    if (status !== null) return status;
    const isOver = finalized.height > lastValidBlockHeight && slot >= finalized.slot;
    return isOver && (hasHistory || knowsAll(chain, lastValidBlockHeight, finalized.height))
      ? 'denied'
      : null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return 'unanswered';
    throw error;
  }
}

/** Whether a node without history knows all blocks in which a transaction can be. */
function knowsAll(chain: Chain, lastValidBlockHeight: bigint, height: bigint): boolean {
  return height - lastValidBlockHeight + readBlockhashLifetime(chain) <= KNOWN_BLOCKS;
}

/** Counts how often in a row a transaction was denied. */
export class DenialCount {
  #inARow = 0;

  /** Notes an answer. Returns whether the transaction has been denied so often that the nodes of the network agree. */
  note(found: TransactionLookup): boolean {
    this.#inARow = found === 'denied' ? this.#inARow + 1 : 0;
    return this.#inARow >= MAX_DENIALS;
  }
}

/** Searches for the transaction until the answer is not `denied`, or until the nodes of the network agree on that. */
export async function searchAgain(
  chain: Chain,
  timers: Timers,
  transaction: LookedUpTransaction,
): Promise<TransactionLookup> {
  const denials = new DenialCount();
  for (;;) {
    const found = await searchTransaction(chain, transaction);
    if (denials.note(found) || found !== 'denied') return found;
    await wait(SEARCH_MS, timers);
  }
}

/**
 * Whether the network has the transaction, for callers that must not check or pay for it twice.
 * @throws ChainUnavailable when the network does not answer
 */
export async function isKnown(chain: Chain, signature: string): Promise<boolean> {
  const [status = null] = await chain.signatureStatuses([signature]);
  return status !== null;
}

/** Whether a node shows the transaction in a block, which may still be dropped. */
export function isSeen(found: TransactionLookup): found is SignatureStatus {
  return found !== null && typeof found !== 'string';
}

export function isConfirmed(found: TransactionLookup): found is SignatureStatus {
  return isSeen(found) && found.commitment !== 'processed';
}

/** Whether a node says that the transaction has succeeded, in a block that may not be confirmed. */
export function hasSucceeded(found: TransactionLookup): boolean {
  return isSeen(found) && found.error === null;
}

export async function readSignatureStatus(
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
