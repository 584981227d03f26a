import { decodeBase58 } from '../../../base/base58.ts';

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A signature has at most 88 characters. A longer text is not decoded, because that takes the square of its length. */
const MAX_LENGTH = 88;

/** What a text that somebody looks for is. */
export type SearchTarget =
  | { readonly kind: 'transaction'; readonly signature: string }
  | { readonly kind: 'account'; readonly address: string }
  | { readonly kind: 'block'; readonly slot: string }
  | { readonly kind: 'tokens'; readonly query: string };

const SLOT = /^\d{1,15}$/;
/** The name or the symbol of a token. */
const SYMBOL = /^[A-Za-z][A-Za-z0-9.$-]{0,19}$/;

/**
 * Tells an address from a signature by its length. A number is a slot, and a word may be a token. Returns null for a text that is
 * none of them.
 */
export function parseSearchTarget(text: string): SearchTarget | null {
  const trimmed = text.trim();
  if (SLOT.test(trimmed)) return { kind: 'block', slot: trimmed };
  const bytes = trimmed.length > MAX_LENGTH ? null : decodeBase58(trimmed);
  if (bytes?.length === ADDRESS_BYTES) return { kind: 'account', address: trimmed };
  if (bytes?.length === SIGNATURE_BYTES) return { kind: 'transaction', signature: trimmed };
  return SYMBOL.test(trimmed) ? { kind: 'tokens', query: trimmed } : null;
}
