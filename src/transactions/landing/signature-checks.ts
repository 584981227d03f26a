import { isFullySigned, isFullySignedInPool, type Transaction } from '../../solana/messages/transaction.ts';

/**
 * Verifying more signatures than these at once would delay other requests for longer than it takes to hand them to
 * another thread.
 */
const MAX_AT_ONCE = 2;

/**
 * Returns a function that checks whether a transaction has all its signatures. The first transaction of each turn of the
 * event loop is verified at once, because handing it to another thread takes longer than verifying it. Further
 * transactions of the same turn are verified in Node's thread pool, which a busy gateway benefits from.
 *
 * @param afterTurn - Calls back when the current turn of the event loop has ended, like `setImmediate`.
 */
export function createSignatureChecker(
  afterTurn: (callback: () => void) => void,
): (transaction: Transaction) => Promise<boolean> {
  let isFirst = true;
  return async (transaction) => {
    if (!isFirst || transaction.signatures.length > MAX_AT_ONCE) return isFullySignedInPool(transaction);
    isFirst = false;
    afterTurn(() => {
      isFirst = true;
    });
    return isFullySigned(transaction);
  };
}
