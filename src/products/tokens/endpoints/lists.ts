import { Type } from 'typebox';
import { CATEGORIES } from '../../../tokens/categories.ts';
import { WINDOW_NAMES } from '../../../market-data/trades/trade.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { integerText, textFor } from '../../parameters.ts';
import { DEFAULT_TOP_LIMIT, parseTag, parseTop, TAGS, TOP_LIMIT } from './search-request.ts';
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
  query: Type.Object({ query: textFor({ type: 'string', enum: [...TAGS] }, 'The tag.') }),
  responses: { 200: TokenList, 400: TokensError },
  handle: async (services: TokensServices, { query, work }) =>
    toTokenList(services, await services.tokens.tagged(parseTag(query.query), work), work),
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
  params: Type.Object({
    category: Type.String({ description: `One of ${CATEGORIES.join(', ')}.` }),
    interval: Type.String({ description: `One of ${WINDOW_NAMES.join(', ')}. It ends now.` }),
  }),
  query: Type.Object({ limit: Type.Optional(integerText(TOP_LIMIT, 'How many tokens.', DEFAULT_TOP_LIMIT)) }),
  responses: { 200: TokenList, 400: TokensError, 404: TokensError },
  handle: async (services: TokensServices, { params, query, work }) => {
    if (params.category === WITHDRAWN) {
      return new OtherAnswer(404, { error: 'the content of tokens is not served' });
    }
    const { category, window, limit } = parseTop(params.category, params.interval, query.limit);
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
