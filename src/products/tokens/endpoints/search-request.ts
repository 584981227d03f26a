import { type Static, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { parseAddress } from '../../../solana/address.ts';
import { CATEGORIES } from '../../../tokens/categories.ts';
import { WINDOW_NAMES } from '../../../market-data/trades/trade.ts';
import { createWordReader, integer, word } from '../../parameters/kinds.ts';
import { defineQuery, defineText, optional } from '../../parameters/parameter.ts';
import { joinedListText } from '../../parameters/parameter-schema.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import type { SearchItem, SearchRequest } from '../search/search.ts';

/** How many items a list in `query` may have. */
const MAX_ITEMS = 100;
/** How long one item that is no mint may be. */
const MAX_TEXT = 100;
/** 100 mints and their commas, with room for percent-encoded spaces. */
const MAX_QUERY = 8_000;

const DEFAULT_LIMIT = 20;

const limit = optional(
  integer({ minimum: 1, maximum: 100 }, 'How many tokens a text finds. A list is not cut.'),
  DEFAULT_LIMIT,
);

/** The query of a search. */
export const SEARCH_QUERY = defineQuery({
  query: defineText(
    joinedListText(`A symbol, a name, a mint, or a list of up to ${MAX_ITEMS} of them with commas between.`),
    readItems,
  ),
  limit,
});

/** The query of a search by the public widget, which may look for nothing. */
export const ASSETS_QUERY = defineQuery({
  query: optional(defineText(joinedListText('As for `/tokens/v2/search`.'), readItems)),
  limit,
});

/**
 * Reads what a search looks for. A list may hold mints, symbols and names.
 *
 * @throws RequestRefused when it is empty, or too long
 */
export function parseSearch(query: Static<typeof SEARCH_QUERY.schema>): SearchRequest {
  const read = SEARCH_QUERY.reader(query);
  const limit = read('limit');
  const items = read('query');
  const [only] = items;
  if (items.length === 1 && only !== undefined && 'text' in only)
    return { kind: 'text', text: only.text, limit };
  return { kind: 'list', items, limit };
}

function readItems(query: string): readonly SearchItem[] {
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
  return items.map(parseItem);
}

function parseItem(item: string): SearchItem {
  const mint = parseAddress(item);
  if (mint !== null) return { mint };
  if (item.length <= MAX_TEXT) return { text: item };
  throw new RequestRefused(
    `query must have items of at most ${MAX_TEXT} characters, got ${item.length} in ${formatForError(item)}`,
  );
}

/** The path and the query of a list by category. */
export const TOP_PATH = defineQuery({
  category: defineText(
    Type.String({ description: `One of ${CATEGORIES.join(', ')}.` }),
    createWordReader(CATEGORIES),
  ),
  interval: defineText(
    Type.String({ description: `One of ${WINDOW_NAMES.join(', ')}. It ends now.` }),
    createWordReader(WINDOW_NAMES),
  ),
});
export const TOP_QUERY = defineQuery({
  limit: optional(integer({ minimum: 1, maximum: 100 }, 'How many tokens.'), 50),
});

/** The query of a list by tag. */
export const TAG_QUERY = defineQuery({ query: word(['lst', 'verified', 'stocks'], 'The tag.') });
