import { isAddress } from '../../../base/is-address.ts';

/** What a text that was searched for is, by its form. */
export type SearchedKind = 'order' | 'signature' | 'taker' | 'maker';

const ORDER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const MAKER_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;

/** What each kind is called in a sentence. */
export const SEARCHED_WORDS: Readonly<Record<SearchedKind, string>> = {
  order: 'the id of an order',
  signature: 'a signature',
  taker: 'the wallet of a taker',
  maker: 'the id of a maker',
};

/**
 * Tells by its form what somebody looks for; null if it can be none of them. The id of a maker may look like a wallet, so what
 * was looked for is said.
 */
export function classifySearch(text: string): SearchedKind | null {
  const trimmed = text.trim();
  if (ORDER_ID.test(trimmed)) return 'order';
  if (isAddress(trimmed)) return 'taker';
  if (SIGNATURE.test(trimmed)) return 'signature';
  return MAKER_ID.test(trimmed) ? 'maker' : null;
}
