import { visitInTurns, createUnaccountedWork, type Work } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import type { Token } from '../../../tokens/facts/token.ts';
import type { Tokens } from '../../../tokens/tokens.ts';

export type SearchRequest =
  | { readonly kind: 'text'; readonly text: string; readonly limit: number }
  | { readonly kind: 'list'; readonly items: readonly SearchItem[]; readonly limit: number };

/** An item of a list: a mint, or a symbol or name, of which the best match counts. */
export type SearchItem = { readonly mint: Address } | { readonly text: string };

/** A search looks at many tokens. */
const UNITS_PER_SEARCH = 16;

/**
 * Finds tokens. A text finds the best matches; in a list, each mint finds its token and each text its best match.
 *
 * Returns each token once; mints that do not exist are left out.
 * @throws Unavailable if a mint has to be read and the chain does not answer
 *
 * @example
 * ```ts
 * import type { Tokens } from '../../../tokens/tokens.ts';
 * import { searchTokens } from './search.ts';
 *
 * async function firstMatch(tokens: Tokens, text: string): Promise<string | null> {
 *   const [token] = await searchTokens(tokens, { kind: 'text', text, limit: 1 });
 *   return token?.mint ?? null;
 * }
 * ```
 */
export async function searchTokens(
  tokens: Pick<Tokens, 'find' | 'search'>,
  request: SearchRequest,
  work: Work = createUnaccountedWork(),
): Promise<readonly Token[]> {
  if (request.kind === 'text') return tokens.search(request.text, request.limit, work);
  const mints = request.items.flatMap((item) => ('mint' in item ? [item.mint] : []));
  const found = new Map<Address, Token>();
  const named = mints.length === 0 ? [] : await tokens.find(mints, work);
  await visitInTurns(work, named, (token) => found.set(token.mint, token));
  for (const item of request.items) {
    if ('mint' in item) continue;
    const turn = work.take(UNITS_PER_SEARCH);
    if (turn !== null) await turn;
    const [best] = await tokens.search(item.text, 1);
    if (best !== undefined) found.set(best.mint, best);
  }
  return [...found.values()];
}
