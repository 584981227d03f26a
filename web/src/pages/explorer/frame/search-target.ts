import { decodeBase58 } from '../../../base/base58.ts';

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A signature has at most 88 characters. A longer text is not decoded, because that takes the square of its length. */
const MAX_LENGTH = 88;

/** What a text that somebody looks for is. */
export type SearchTarget =
  | { readonly kind: 'transaction'; readonly signature: string }
  | { readonly kind: 'account'; readonly address: string };

/** Tells an address from a signature by its length. Returns null for a text that is neither. */
export function parseSearchTarget(text: string): SearchTarget | null {
  const trimmed = text.trim();
  const bytes = trimmed.length > MAX_LENGTH ? null : decodeBase58(trimmed);
  if (bytes?.length === ADDRESS_BYTES) return { kind: 'account', address: trimmed };
  if (bytes?.length === SIGNATURE_BYTES) return { kind: 'transaction', signature: trimmed };
  return null;
}
