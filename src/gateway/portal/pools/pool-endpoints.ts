import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import type { PoolFilter } from '../../../market/pool-views/pool-order.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { toPoolJson, toPoolRow, toUnusableRow } from './pool-json.ts';
import type { PortalPools } from './portal-pools.ts';

/** The most pools of one answer. */
const MAX_POOLS = 200;
const DEFAULT_POOLS = 100;
/** A symbol, two of them, or an address. */
const MAX_QUERY_LENGTH = 100;
const MAX_WORDS = 4;
/** An address in base58 has at most so many characters. */
const MAX_ADDRESS_LENGTH = 44;
const MAX_LABEL_LENGTH = 64;

const AddressText = Type.String({ minLength: 1, maxLength: MAX_ADDRESS_LENGTH });

const PoolListQuery = Type.Object({
  mint: Type.Optional(AddressText),
  venue: Type.Optional(Type.String({ maxLength: MAX_LABEL_LENGTH })),
  query: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_POOLS })),
});

const PoolParams = Type.Object({ address: AddressText });

const PoolQuoteQuery = Type.Object({
  inputMint: AddressText,
  amount: Type.String({ pattern: '^[0-9]{1,20}$' }),
});

/** Registers what the pages about pools read. */
export function registerPortalPools(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  pools: PortalPools,
): void {
  const list = { ...options, schema: { ...options.schema, querystring: PoolListQuery } };
  app.get<{ Querystring: Static<typeof PoolListQuery> }>(path, list, async ({ query, work }, reply) => {
    const { cursor = '0', limit = DEFAULT_POOLS } = query;
    const found = await pools.views.list(parseFilter(query), work);
    const first = Number(cursor);
    const next = first + limit;
    return reply.header('cache-control', 'no-store').send({
      pools: found
        .slice(first, next)
        .map((each) =>
          each.handle === null
            ? toUnusableRow(each.unusable)
            : toPoolRow(pools.views.summarize(each.handle), pools),
        ),
      total: found.length,
      cursor: next < found.length ? String(next) : null,
      venues: pools.views.venueLabels,
    });
  });

  const show = { ...options, schema: { ...options.schema, params: PoolParams } };
  app.get<{ Params: Static<typeof PoolParams> }>(`${path}/:address`, show, async ({ params }, reply) => {
    const found = pools.views.find(parsePoolAddress('address', params.address));
    if (found === null) throw new RequestInvalid('No pool that Sluice follows is at this address', 404);
    return reply.header('cache-control', 'no-store').send(toPoolJson(found, pools));
  });

  const quote = { ...show, schema: { ...show.schema, querystring: PoolQuoteQuery } };
  app.get<{ Params: Static<typeof PoolParams>; Querystring: Static<typeof PoolQuoteQuery> }>(
    `${path}/:address/quote`,
    quote,
    async ({ params, query }, reply) =>
      reply.header('cache-control', 'no-store').send(quotePool(pools, params.address, query)),
  );
}

/** @throws RequestInvalid if the pool cannot be quoted for the amount */
function quotePool(
  { views }: PortalPools,
  pool: string,
  { inputMint, amount: text }: Static<typeof PoolQuoteQuery>,
): { readonly [field: string]: string } {
  const amount = BigInt(text);
  if (amount === 0n || amount > U64_MAX)
    throw new RequestInvalid(`amount must be between 1 and ${U64_MAX}, got ${formatForError(text)}`);
  const quoted = views.quote(
    parsePoolAddress('address', pool),
    parsePoolAddress('inputMint', inputMint),
    amount,
  );
  switch (quoted.kind) {
    case 'unknown-pool':
      throw new RequestInvalid('No pool that routes can use now is at this address', 404);
    case 'other-mint':
      throw new RequestInvalid('inputMint must be one of the two tokens of the pool');
    case 'refused':
      throw new RequestInvalid(
        'The pool does not swap this amount: it is too small to be paid anything, or more than the pool can pay',
        409,
      );
    case 'quoted': {
      const { inAmount, outAmount, feeAmount, feeMint } = quoted.quote;
      return {
        inAmount: inAmount.toString(),
        outAmount: outAmount.toString(),
        feeAmount: feeAmount.toString(),
        feeMint,
      };
    }
  }
}

function parseFilter({ mint, venue, query = '' }: Static<typeof PoolListQuery>): PoolFilter {
  return {
    mint: mint === undefined ? null : parsePoolAddress('mint', mint),
    venue: venue ?? null,
    words: query
      .toLowerCase()
      .split(/[\s/,]+/)
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS),
  };
}

/** @throws RequestInvalid if the text is no address */
function parsePoolAddress(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address === null)
    throw new RequestInvalid(`${name} must be an address of 32 bytes in base58, got ${formatForError(text)}`);
  return address;
}
