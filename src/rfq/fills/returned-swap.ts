import {
  isSignedBy,
  parseTransaction,
  readSentTransaction,
  type SentTransaction,
} from '../../solana/messages/transaction.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';

/** The index of the maker's signature. */
const MAKER_INDEX = 1;

/** A transaction that a maker returned, compared with the one that it was offered. */
export type ReturnedSwap =
  | { readonly kind: 'signed'; readonly wire: Uint8Array }
  /** The maker changed the message. */
  | { readonly kind: 'tampered'; readonly message: Uint8Array }
  /** Not a usable answer; the maker may try again. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** More characters than the base64 of any transaction has. */
const MAX_TEXT = 4_096;

/**
 * Compares what a maker returned with what it was offered. The message bytes must be the same, the signature at index 1
 * must be the maker's and valid, and every other signature must be unchanged.
 * @param text - As the maker sent it; base64 is expected.
 */
export function readReturned(text: string, offeredWire: Uint8Array): ReturnedSwap {
  const bytes = new Uint8Array(Buffer.from(text.slice(0, MAX_TEXT), 'base64'));
  const canonical = Buffer.from(bytes).toString('base64');
  if (text.length > MAX_TEXT || canonical.replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    return { kind: 'unusable', reason: 'signed_transaction is not the standard base64 of a transaction' };
  }
  const sent = parsed(bytes);
  if (typeof sent === 'string') {
    return { kind: 'unusable', reason: `signed_transaction is not a transaction: ${sent}` };
  }
  const returned = sent.transaction;
  const offered = parseTransaction(offeredWire);
  if (Buffer.compare(returned.messageBytes, offered.messageBytes) !== 0) {
    return { kind: 'tampered', message: returned.messageBytes };
  }
  if (!isSignedBy(returned, MAKER_INDEX)) {
    const maker = returned.message.staticAccounts[MAKER_INDEX];
    return { kind: 'unusable', reason: `signature ${MAKER_INDEX} must be that of ${maker} over the message` };
  }
  const changed = returned.signatures.findIndex(
    (signature, index) =>
      index !== MAKER_INDEX && Buffer.compare(signature, offered.signatures[index] ?? signature) !== 0,
  );
  return changed < 0
    ? { kind: 'signed', wire: sent.wire }
    : { kind: 'unusable', reason: `signature ${changed} must be as it was offered` };
}

function parsed(bytes: Uint8Array): SentTransaction | string {
  try {
    return readSentTransaction(bytes);
  } catch (error) {
    if (error instanceof TransactionInvalid) return error.message;
    throw error;
  }
}
