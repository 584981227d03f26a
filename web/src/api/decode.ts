import { postJson } from './call.ts';
import type { DecodedTransaction } from './decoded-transaction.ts';

/**
 * Decodes a transaction in base64, or one that landed, by its signature.
 *
 * @throws ApiError if it is no transaction, or none with this signature has landed
 */
export function decodeTransaction(
  subject: { readonly transaction: string } | { readonly signature: string },
): Promise<DecodedTransaction> {
  return postJson('/portal/data/decode', subject);
}
