import { formatForError } from '../../../common/format-for-error.ts';
import { parseAddress } from '../../../solana/address.ts';
import { CATEGORIES, type Category } from '../../../tokens/categories.ts';
import { WINDOW_NAMES, type WindowName } from '../../../market-data/trades/trade.ts';
import { parseIntegerParameter } from '../../parameter-values.ts';
import type { IntegerBounds } from '../../parameters.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import type { SearchItem, SearchRequest } from '../search/search.ts';

/** How many items a list in `query` may have. */
export const MAX_ITEMS = 100;
/** How long one item that is no mint may be. */
const MAX_TEXT = 100;
/** 100 mints and their commas, with room for percent-encoded spaces. */
const MAX_QUERY = 8_000;

export const SEARCH_LIMIT: IntegerBounds = { minimum: 1, maximum: 100 };
export const DEFAULT_SEARCH_LIMIT = 20;

/**
 * Reads what a search looks for. A list may hold mints, symbols and names.
 *
 * @throws RequestRefused when it is empty, or too long
 */
export function parseSearch(query: string, limit: string | undefined): SearchRequest {
  const most = parseIntegerParameter('limit', limit, SEARCH_LIMIT) ?? DEFAULT_SEARCH_LIMIT;
  if (query.length > MAX_QUERY) {
    throw new RequestRefused(`query must have at most ${MAX_QUERY} characters, got ${query.length}`);
  }
  const items = query
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) {
    throw new RequestRefused('query must be a symbol, a name, a mint, or a list of them with commas between');
  }
  if (items.length > MAX_ITEMS) {
    throw new RequestRefused(`query must have at most ${MAX_ITEMS} items, got ${items.length}`);
  }
  const read = items.map(parseItem);
  const [only] = read;
  if (read.length === 1 && only !== undefined && 'text' in only)
    return { kind: 'text', text: only.text, limit: most };
  return { kind: 'list', items: read, limit: most };
}

function parseItem(item: string): SearchItem {
  const mint = parseAddress(item);
  if (mint !== null) return { mint };
  if (item.length <= MAX_TEXT) return { text: item };
  throw new RequestRefused(
    `query must have items of at most ${MAX_TEXT} characters, got ${item.length} in ${formatForError(item)}`,
  );
}

export const TOP_LIMIT: IntegerBounds = { minimum: 1, maximum: 100 };
export const DEFAULT_TOP_LIMIT = 50;

/** @throws RequestRefused when one of them is not offered */
export function parseTop(
  category: string,
  interval: string,
  limit: string | undefined,
): { readonly category: Category; readonly window: WindowName; readonly limit: number } {
  return {
    category: requireChoice('category', category, CATEGORIES),
    window: requireChoice('interval', interval, WINDOW_NAMES),
    limit: parseIntegerParameter('limit', limit, TOP_LIMIT) ?? DEFAULT_TOP_LIMIT,
  };
}

export const TAGS = ['lst', 'verified', 'stocks'] as const;

/** @throws RequestRefused when there is no list by the tag */
export function parseTag(tag: string): (typeof TAGS)[number] {
  return requireChoice('query', tag, TAGS);
}

function requireChoice<Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw new RequestRefused(`${name} must be one of ${values.join(', ')}, got ${formatForError(text)}`);
}
