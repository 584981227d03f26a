import { ALREADY_PROCESSED, type Chain, ChainUnavailable, SendRejected } from '../../chain/chain.ts';

/** Something that forwards transactions to the network, such as the RPC. */
export interface Sender {
  /** The name in reports and metrics. It is never a URL, because a URL may contain a key. */
  readonly name: string;
  readonly chain: Pick<Chain, 'send' | 'signatureStatuses'>;
}

/** What a sender did with a transaction. Only an error in the form of the transaction is final. */
export type Forwarding =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'rejected'; readonly error: string; readonly isFinal: boolean };

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

/** Sends a transaction once, without a preflight check: one that fails is to fail on chain, where it can be seen. */
export async function forward({ chain }: Sender, wire: Uint8Array): Promise<Forwarding> {
  try {
    await chain.send(wire, { skipPreflight: true });
    return { kind: 'accepted' };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unavailable' };
    if (!(error instanceof SendRejected)) throw error;
    const { transactionError, message } = error;
    if (transactionError === ALREADY_PROCESSED) return { kind: 'accepted' };
    // The error is not the transaction's own: the network has no room for it now.
    if (transactionError === null) return { kind: 'unavailable' };
    return { kind: 'rejected', error: message, isFinal: FINAL_ERRORS.has(transactionError) };
  }
}
