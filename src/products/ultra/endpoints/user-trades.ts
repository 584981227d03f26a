import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { booleanText, integerText, joinedListText } from '../../parameters.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { parseIntegerParameter, requireAddress } from '../../parameter-values.ts';
import { parseTime } from './request.ts';
import { type TradesPage, readTrades } from '../trades/trade-history.ts';
import { UltraError } from './schema.ts';
import type { UltraServices } from './services.ts';

/** Entries, of which each swap has two. */
const LIMIT = { minimum: 1, maximum: 30 };
/** Reading a page takes up to a hundred calls over an outside RPC. */
const TIMEOUT_MS = 20_000;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
/** What others are bought with. Without `includeCapitalSide`, that side of a swap is left out. */
const CAPITAL: ReadonlySet<Address> = new Set([
  WRAPPED_SOL_MINT,
  ...['USDC', 'USDT', 'PYUSD'].map((symbol) => getGenesisToken(symbol).mint),
]);

const TradeJson = named(
  'UserTrade',
  Type.Object({
    type: Type.Enum(['buy', 'sell']),
    txHash: Type.String({ description: 'The signature.' }),
    assetId: Type.String({ description: 'The token that was bought or sold.' }),
    blockTime: Type.Optional(
      Type.String({ description: 'ISO 8601; absent when the network has forgotten it.' }),
    ),
    amount: Type.Number({ description: 'Whole tokens.' }),
    price: Type.Optional(Type.Number({ description: 'US dollars at that time; absent if it is not known.' })),
    usdVolume: Type.Optional(Type.Number({ description: 'US dollars; absent if it is not known.' })),
  }),
);
type TradeJson = Static<typeof TradeJson>;

export const userTrades = defineEndpoint({
  method: 'GET',
  path: '/_datapi/v1/txs/users',
  operationId: 'GetUserTrades',
  example: { query: { addresses: EXAMPLE_WALLET } },
  summary: 'The swaps of a wallet',
  description:
    'What a wallet bought and sold, newest first, read from its transactions. A swap is two entries with the same ' +
    '`txHash`. A page may have fewer entries than were asked for; `next` is the `offset` of the following one.',
  timeoutMs: TIMEOUT_MS,
  query: Type.Object({
    addresses: joinedListText('One wallet.'),
    includeCapitalSide: Type.Optional(
      booleanText(
        'Whether the side of SOL or a stablecoin has an entry, where the other side is another token.',
      ),
    ),
    assetId: Type.Optional(Type.String({ description: 'Only swaps of this token.' })),
    fromTs: Type.Optional(Type.String({ description: 'ISO 8601 or Unix seconds.' })),
    toTs: Type.Optional(Type.String({ description: 'ISO 8601 or Unix seconds.' })),
    limit: Type.Optional(
      integerText(LIMIT, 'How many entries at most, rounded up to whole swaps.', LIMIT.maximum),
    ),
    offset: Type.Optional(Type.String({ description: '`next` of the page before.' })),
  }),
  responses: {
    200: Type.Object({
      userTrades: Type.Array(TradeJson),
      next: Type.Union([Type.String(), Type.Null()]),
    }),
    400: UltraError,
  },
  handle: async ({ trades, turns }: UltraServices, { query }) => {
    const withCapital = query.includeCapitalSide === 'true';
    const limit = parseIntegerParameter('limit', query.limit, LIMIT) ?? LIMIT.maximum;
    const { assetId = '' } = query;
    const request = {
      wallet: requireAddress('addresses', query.addresses),
      mint: assetId === '' ? null : requireAddress('assetId', assetId),
      from: parseTime('fromTs', query.fromTs),
      to: parseTime('toTs', query.toTs),
      before: parseOffset(query.offset),
      limit: Math.ceil(limit / 2),
    };
    const page = await turns.run(false, () => readTrades(trades, request));
    return { userTrades: toTradesJson(page, withCapital), next: page.next };
  },
});

function parseOffset(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (SIGNATURE.test(text)) return text;
  throw new RequestRefused(`offset must be \`next\` of another page, got ${formatForError(text)}`);
}

function toTradesJson({ trades }: TradesPage, withCapital: boolean): TradeJson[] {
  return trades.flatMap(({ signature, time, sides }) => {
    const others = sides.filter(({ mint }) => !CAPITAL.has(mint));
    const shown = withCapital || others.length === 0 ? sides : others;
    return shown.map(({ kind, mint, amount, price, dollars }) => {
      const json: TradeJson = { type: kind, txHash: signature, assetId: mint, amount };
      if (time !== null) json.blockTime = new Date(time * 1_000).toISOString();
      if (price !== null) json.price = price;
      if (dollars !== null) json.usdVolume = dollars;
      return json;
    });
  });
}
