import type { Static } from 'typebox';
import { defineEndpoint, type EndpointRequest } from '../../endpoint.ts';
import { ASSETS_QUERY, parseSearch, SEARCH_QUERY } from './search-request.ts';
import { searchTokens } from '../search/search.ts';
import type { TokensServices } from './services.ts';
import { toTokenList } from './token-json.ts';
import { TokenList, TokensError } from './token-schema.ts';

const CREDITS = 10;
/** A search by an older path, or by one of the widget, costs what every other endpoint costs. */
const OTHER_CREDITS = 1;

export const search = defineEndpoint({
  ...searchAt('/tokens/v2/search', CREDITS),
  operationId: 'SearchTokens',
  example: { query: { query: 'JUP' } },
  summary: 'Search tokens',
  description:
    'Finds tokens by symbol, name or mint. Exact symbols come first, then beginnings of symbols, then words of names; ' +
    'typing errors are tolerated if nothing else is found. Equally good matches are ordered by verification, organic ' +
    'score and liquidity. In a list with commas, each item finds its best match. What is not found is left out.',
});

/** An endpoint of its own and no alias, because it costs less. */
export const searchUltra = defineEndpoint({
  ...searchAt('/ultra/v1/search', OTHER_CREDITS),
  operationId: 'SearchUltraTokens',
  summary: 'Search tokens, by the older path',
  description: `The same as \`${search.path}\`.`,
});

function searchAt(path: string, credits: number) {
  return {
    method: 'GET' as const,
    path,
    credits,
    query: SEARCH_QUERY.schema,
    responses: { 200: TokenList, 400: TokensError },
    handle: async (
      services: TokensServices,
      { query, work }: EndpointRequest<Static<typeof SEARCH_QUERY.schema>>,
    ) => toTokenList(services, await searchTokens(services.tokens, parseSearch(query), work), work),
  };
}

/** The search of the public widget. It sends cookies, and shows what an empty query finds before anything is typed. */
export const searchAssets = defineEndpoint({
  method: 'GET',
  path: '/_datapi/v1/assets/search',
  operationId: 'SearchAssets',
  example: { query: { query: 'JUP' } },
  summary: 'Search tokens, for the public widget',
  description:
    'The same as `/tokens/v2/search`. An empty query finds the best tokens: verified ones first, then by organic score and ' +
    'liquidity.',
  credits: OTHER_CREDITS,
  allowsCookies: true,
  query: ASSETS_QUERY.schema,
  responses: { 200: TokenList, 400: TokensError },
  handle: async (services: TokensServices, { query, work }) => {
    const { tokens } = services;
    const { query: text = '' } = query;
    const found =
      text.trim() === ''
        ? await tokens.best(ASSETS_QUERY.reader(query)('limit'), work)
        : await searchTokens(tokens, parseSearch({ ...query, query: text }), work);
    return toTokenList(services, found, work);
  },
});
