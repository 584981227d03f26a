import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { joinedListText } from '../../parameters/parameter-schema.ts';
import { address, flag, integer, readAddress } from '../../parameters/kinds.ts';
import { defineQuery, defineText, optional } from '../../parameters/parameter.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { time } from './ultra-kinds.ts';
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

const QUERY = defineQuery({
  addresses: defineText(joinedListText('One wallet.'), readAddress),
  includeCapitalSide: optional(
    flag('Whether the side of SOL or a stablecoin has an entry, where the other side is another token.'),
    false,
  ),
  assetId: optional(address('Only swaps of this token.')),
  fromTs: optional(time()),
  toTs: optional(time()),
  limit: optional(integer(LIMIT, 'How many entries at most, rounded up to whole swaps.'), LIMIT.maximum),
  offset: optional(defineText(Type.String({ description: '`next` of the page before.' }), readOffset)),
});

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
  query: QUERY.schema,
  responses: {
    200: Type.Object({
      userTrades: Type.Array(TradeJson),
      next: Type.Union([Type.String(), Type.Null()]),
    }),
    400: UltraError,
  },
  handle: async ({ trades, turns }: UltraServices, { query }) => {
    const read = QUERY.reader(query);
    const withCapital = read('includeCapitalSide');
    const limit = read('limit');
    const request = {
      wallet: read('addresses'),
      mint: read('assetId'),
      from: read('fromTs'),
      to: read('toTs'),
      before: read('offset'),
      limit: Math.ceil(limit / 2),
    };
    const page = await turns.run(false, () => readTrades(trades, request));
    return { userTrades: toTradesJson(page, withCapital), next: page.next };
  },
});

function readOffset(text: string): string {
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
