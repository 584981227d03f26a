import type { DecodedTransaction } from '../../../src/transactions/decoding/decoded-transaction.ts';
import { postJson } from './call.ts';

// The types are those that the server answers with, so that the two cannot differ.
export type {
  DecodedAccount,
  DecodedBalance,
  DecodedField,
  DecodedInstruction,
  DecodedResult,
  DecodedTransaction,
} from '../../../src/transactions/decoding/decoded-transaction.ts';

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
