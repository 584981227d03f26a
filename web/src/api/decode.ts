import { postJson, UnreadableError } from './call.ts';
import { readDecodedTransaction } from './decoded-shape.ts';
import type { DecodedTransaction } from './decoded-transaction.ts';

/**
 * Decodes a transaction in base64, or one that landed, by its signature.
 *
 * @throws ApiError if it is no transaction, or none with this signature has landed
 * @throws UnreadableError if the answer has not the form of a decoded transaction
 */
export async function decodeTransaction(
  subject: { readonly transaction: string } | { readonly signature: string },
): Promise<DecodedTransaction> {
  return toDecodedTransaction(await postJson<unknown>('/portal/data/decode', subject));
}

/** Checks the form of an answer, so that a page never draws half of it. @throws UnreadableError if it has another one */
export function toDecodedTransaction(answer: unknown): DecodedTransaction {
  try {
    return readDecodedTransaction(answer);
  } catch {
    throw new UnreadableError('a transaction');
  }
}
