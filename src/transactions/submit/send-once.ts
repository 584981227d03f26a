import { ALREADY_PROCESSED, type Chain, ChainUnavailable, SendRejected } from '../../chain/chain.ts';

/** How the network answered a transaction. */
export type SendResult =
  | { readonly kind: 'accepted' }
  /** The network did not answer, or has no room now. */
  | { readonly kind: 'unavailable' }
  /** With `isFinal`, every node refuses the transaction; otherwise a more up-to-date node may accept it. */
  | {
      readonly kind: 'rejected';
      readonly isFinal: boolean;
      /** The RPC's `TransactionError` value. */
      readonly error: unknown;
      /** The node's own words. */
      readonly message: string;
      readonly logs: readonly string[];
    };

/** Errors in the form of the transaction, for which every node refuses it. */
const FINAL_ERRORS: ReadonlySet<unknown> = new Set([
  'AccountLoadedTwice',
  'InvalidAccountIndex',
  'MissingSignatureForFee',
  'SanitizeFailure',
  'SignatureFailure',
  'TooManyAccountLocks',
  'UnsupportedVersion',
]);

/**
 * Sends a transaction once. There is no preflight check: a transaction that fails is to fail on chain, where everybody
 * can see it.
 * @param wire - The fully signed transaction.
 * @returns `accepted` also for a transaction that has landed before
 */
export async function sendOnce(chain: Pick<Chain, 'send'>, wire: Uint8Array): Promise<SendResult> {
  try {
    await chain.send(wire, { skipPreflight: true });
    return { kind: 'accepted' };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unavailable' };
    if (!(error instanceof SendRejected)) throw error;
    const { transactionError, message, logs } = error;
    if (transactionError === ALREADY_PROCESSED) return { kind: 'accepted' };
    // The error is not the transaction's own: the network has no room for it now.
    if (transactionError === null) return { kind: 'unavailable' };
    return {
      kind: 'rejected',
      isFinal: FINAL_ERRORS.has(transactionError),
      error: transactionError,
      message,
      logs,
    };
  }
}
