import { Type } from 'typebox';
import { EXAMPLE_MINTS } from '../../../example-values.ts';
import { visitInTurns } from '../../../../common/work/work.ts';
import { defineEndpoint, OtherAnswer } from '../../../endpoint.ts';
import { writeJsonInTurns, LazyList } from '../../../json-in-turns.ts';
import { address, integer } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import type { TokensServices } from '../services.ts';
import { TokensError } from '../token-schema.ts';
import { NewTokenV1Json, TokenV1Json } from './schema.ts';
import { toNewTokenV1Json, toTokenV1Json } from './token-json.ts';

const TOKEN_PATH = defineQuery({ mint: address('The mint.') });
const MARKET_PATH = defineQuery({ market: address('The address of the pool.') });
const NEW_QUERY = defineQuery({
  limit: optional(integer({ minimum: 1, maximum: 100 }, 'How many tokens.'), 10),
  offset: optional(integer({ minimum: 0, maximum: 100 }, 'How many of the newest are left out.'), 0),
});
const OLDER = ' For clients of the older interface; see `/tokens/v2`.';

const token = defineEndpoint({
  method: 'GET',
  path: '/tokens/v1/token/:mint',
  operationId: 'GetTokenV1',
  example: { params: { mint: EXAMPLE_MINTS.jup } },
  summary: 'One token',
  description: `What is known of a mint.${OLDER}`,
  params: TOKEN_PATH.schema,
  responses: { 200: TokenV1Json, 400: TokensError, 404: TokensError },
  handle: async ({ tokens }: TokensServices, { params }) => {
    const mint = TOKEN_PATH.reader(params)('mint');
    const [found] = await tokens.find([mint]);
    return found === undefined ? notFound(`no mint ${mint}`) : toTokenV1Json(found);
  },
});

const marketMints = defineEndpoint({
  method: 'GET',
  path: '/tokens/v1/market/:market/mints',
  operationId: 'GetMarketMintsV1',
  example: { params: { market: 'Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE' } },
  summary: 'The mints of a pool',
  description: `The two mints that a pool trades.${OLDER}`,
  params: MARKET_PATH.schema,
  responses: { 200: Type.Array(Type.String()), 400: TokensError, 404: TokensError },
  handle: ({ pools }: TokensServices, { params }) => {
    const market = MARKET_PATH.reader(params)('market');
    const handle = pools.find(market);
    return handle === null ? notFound(`no pool ${market} can be traded now`) : [...handle.pool.mints];
  },
});

const tradable = defineEndpoint({
  method: 'GET',
  path: '/tokens/v1/mints/tradable',
  operationId: 'GetTradableMintsV1',
  summary: 'Mints that can be traded',
  description: `All mints that some pool trades now.${OLDER}`,
  responses: { 200: Type.Array(Type.String()) },
  handle: async ({ pools }: TokensServices, { work }) => {
    const mints = new Set<string>();
    await visitInTurns(work, pools.all(), ({ pool }) => {
      for (const mint of pool.mints) mints.add(mint);
    });
    return writeJsonInTurns([...mints], work);
  },
});

/** The public service calls its list of verified tokens so, too. */
const ALSO_VERIFIED: ReadonlySet<string> = new Set(['strict', 'community']);

const tagged = defineEndpoint({
  method: 'GET',
  path: '/tokens/v1/tagged/:tag',
  operationId: 'GetTaggedTokensV1',
  example: { params: { tag: 'verified' } },
  summary: 'Tokens by tag',
  description: `The tokens with a tag, such as \`verified\`. No token has a tag that is not known.${OLDER}`,
  params: Type.Object({ tag: Type.String({ description: 'The tag.' }) }),
  responses: { 200: Type.Array(TokenV1Json) },
  handle: async ({ tokens }: TokensServices, { params, work }) => {
    const found = await tokens.tagged(ALSO_VERIFIED.has(params.tag) ? 'verified' : params.tag, work);
    return writeJsonInTurns(new LazyList(found, toTokenV1Json), work);
  },
});

const newest = defineEndpoint({
  method: 'GET',
  path: '/tokens/v1/new',
  operationId: 'GetNewTokensV1',
  summary: 'The newest tokens',
  description: `Tokens whose first pool is newest, up to the newest 100.${OLDER}`,
  query: NEW_QUERY.schema,
  responses: { 200: Type.Array(NewTokenV1Json), 400: TokensError },
  handle: async ({ tokens }: TokensServices, { query, work }) => {
    const read = NEW_QUERY.reader(query);
    const [limit, offset] = [read('limit'), read('offset')];
    const found = (await tokens.recent(offset + limit, work)).slice(offset);
    return writeJsonInTurns(new LazyList(found, toNewTokenV1Json), work);
  },
});

const all = defineEndpoint({
  method: 'GET',
  path: '/tokens/v1/all',
  operationId: 'GetAllTokensV1',
  summary: 'All tokens',
  description: `All tokens, the best first: verified ones, then by organic score and liquidity; at most 5,000.${OLDER}`,
  responses: { 200: Type.Array(TokenV1Json) },
  handle: async ({ tokens }: TokensServices, { work }) =>
    writeJsonInTurns(new LazyList(await tokens.best(undefined, work), toTokenV1Json), work),
});

export const tokensV1 = [token, marketMints, tradable, tagged, newest, all];

function notFound(error: string): OtherAnswer {
  return new OtherAnswer(404, { error });
}
