import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { TAG_QUERY, TOP_PATH, TOP_QUERY } from './search-request.ts';
import type { TokensServices } from './services.ts';
import { toTokenList } from './token-json.ts';
import { TokenList, TokensError } from './token-schema.ts';

const TAG_CREDITS = 50;
const TOP_CREDITS = 5;
/** How many of the newest tokens are listed. */
const RECENT = 30;
/** The folder of lists that the public interface has withdrawn. Their paths look like those of a category. */
const WITHDRAWN = 'content';

export const tag = defineEndpoint({
  method: 'GET',
  path: '/tokens/v2/tag',
  operationId: 'GetTokensByTag',
  example: { query: { query: 'verified' } },
  summary: 'Tokens by tag',
  description:
    'The whole list of tokens with a tag, by the list of known tokens and the decisions of the operator.',
  credits: TAG_CREDITS,
  query: TAG_QUERY.schema,
  responses: { 200: TokenList, 400: TokensError },
  handle: async (services: TokensServices, { query, work }) =>
    toTokenList(services, await services.tokens.tagged(TAG_QUERY.reader(query)('query'), work), work),
});

export const top = defineEndpoint({
  method: 'GET',
  path: '/tokens/v2/:category/:interval',
  operationId: 'GetTopTokens',
  example: { params: { category: 'toptraded', interval: '24h' } },
  summary: 'The best tokens of a category',
  description:
    '`toporganicscore` orders by the organic score, `toptraded` by the volume of the interval, `toptrending` by how far ' +
    'the price moved in it. SOL and stablecoins are left out.',
  credits: TOP_CREDITS,
  params: TOP_PATH.schema,
  query: TOP_QUERY.schema,
  responses: { 200: TokenList, 400: TokensError, 404: TokensError },
  handle: async (services: TokensServices, { params, query, work }) => {
    if (params.category === WITHDRAWN) {
      return new OtherAnswer(404, { error: 'the content of tokens is not served' });
    }
    const read = TOP_PATH.reader(params);
    const [category, window] = [read('category'), read('interval')];
    const limit = TOP_QUERY.reader(query)('limit');
    return toTokenList(services, await services.tokens.top(category, window, limit, work), work);
  },
});

export const recent = defineEndpoint({
  method: 'GET',
  path: '/tokens/v2/recent',
  operationId: 'GetRecentTokens',
  summary: 'The newest tokens',
  description: `The ${RECENT} tokens whose first pool is newest.`,
  responses: { 200: TokenList },
  handle: async (services: TokensServices, { work }) =>
    toTokenList(services, await services.tokens.recent(RECENT, work), work),
});
