import {
  isSignedBy,
  MAX_TRANSACTION_BYTES,
  readSentTransaction,
  type Transaction,
} from '../../../solana/messages/transaction.ts';
import {
  Code,
  type ExecutionRefused,
  createSwapFailure,
  createExecutionRefusal,
  type SwapFailed,
} from '../../../swaps/orders/execution-result.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';

/** The bytes of a transaction, and the parsed transaction. */
export interface SignedTransaction {
  readonly kind: 'parsed';
  readonly wire: Uint8Array;
  readonly transaction: Transaction;
}

/** Parses the `signedTransaction` of a request. Its signatures are not checked. */
export function parseSigned(base64: string): SignedTransaction | ExecutionRefused {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) {
    return createExecutionRefusal(Code.INVALID_SIGNED_TRANSACTION, 'signedTransaction is not base64');
  }
  // A copy, because small buffers share a larger one, which would be sent to the network's thread as a whole.
  const copy = new Uint8Array(bytes);
  try {
    return { kind: 'parsed', ...readSentTransaction(copy) };
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    return createExecutionRefusal(
      Code.INVALID_SIGNED_TRANSACTION,
      `signedTransaction is not a transaction of at most ${MAX_TRANSACTION_BYTES} bytes: ${error.message}`,
    );
  }
}

/**
 * Returns null if all wallets have signed that sign before the maker or the sponsor; a failure if a signature is
 * missing, and a refusal if one is wrong.
 */
export function checkSignatures(
  transaction: Transaction,
  order: StoredOrder,
): SwapFailed | ExecutionRefused | null {
  const later = order.sponsorship?.sponsor ?? order.coSigner?.maker;
  const { signatures, message } = transaction;
  const signers = message.staticAccounts.slice(0, message.signers);
  const missing = signers.filter((_, index) => signatures[index]?.every((byte) => byte === 0));
  const wrong = signers.find((signer, index) => !missing.includes(signer) && !isSignedBy(transaction, index));
  if (wrong !== undefined) {
    return createExecutionRefusal(
      Code.INVALID_SIGNED_TRANSACTION,
      `signedTransaction has a wrong signature of ${wrong}`,
    );
  }
  const lacking = missing.filter((signer) => signer !== later);
  if (lacking.length === 0) return null;
  return createSwapFailure(
    Code.NOT_FULLY_SIGNED,
    `signedTransaction lacks the signature of ${lacking.join(', ')}`,
  );
}
