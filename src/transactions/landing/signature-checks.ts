import { isFullySigned, isFullySignedAside, type Transaction } from '../../solana/messages/transaction.ts';

/** Verifying more than these at once would keep other requests waiting for longer than handing them over takes. */
const MAX_AT_ONCE = 2;

/**
 * Returns a function that tells whether a transaction has all its signatures. It verifies the first transaction in a turn of
 * the event loop at once, because handing it to another thread takes longer than verifying it. Further ones of that turn are
 * verified in threads of Node's pool, which a busy gateway gains by.
 *
 * @param afterTurn - Calls back when the present turn of the event loop has ended, like `setImmediate`.
 */
export function signatureChecks(
  afterTurn: (callback: () => void) => void,
): (transaction: Transaction) => Promise<boolean> {
  let isFirst = true;
  return async (transaction) => {
    if (!isFirst || transaction.signatures.length > MAX_AT_ONCE) return isFullySignedAside(transaction);
    isFirst = false;
    afterTurn(() => {
      isFirst = true;
    });
    return isFullySigned(transaction);
  };
}
