import { Type } from 'typebox';
import { MICRO_PER_CONTRACT, type PredictionBid } from '../../../../exchange/exchange.ts';
import { PredictionRefused } from '../../../../predictions/prediction-refused.ts';
import { PREDICTION_VAULT } from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import { named } from '../../../named-schema.ts';
import { MARKET_EXAMPLE, requireMarket } from './event-markets.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const MICRO_PER_CENT = 10_000n;
const HALF_CENT = 5_000n;
const PRICE_DIGITS = 4;

const centRows = (side: string) =>
  Type.Array(Type.Tuple([Type.Integer(), Type.Number()]), {
    description: `Bids for ${side} contracts: the price in cents, rounded, and contracts.`,
  });
const dollarRows = (side: string) =>
  Type.Array(Type.Tuple([Type.String(), Type.Number()]), {
    description: `The same bids for ${side} contracts with exact prices in dollars.`,
  });

const OrderBookJson = named(
  'PredictionOrderBook',
  Type.Union([
    Type.Object({
      yes: centRows('yes'),
      no: centRows('no'),
      yes_dollars: dollarRows('yes'),
      no_dollars: dollarRows('no'),
    }),
    Type.Null(),
  ]),
);

/** `GET /orderbook/:marketId`: the bids of both sides. */
export const getOrderBook = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/orderbook/:marketId',
  operationId: 'GetPredictionOrderBook',
  summary: 'Order book',
  description:
    'Returns the bids for both sides of a market, from the lowest price to the highest. An ask for yes at p is a bid for no at 1 - p. `null`: the market is not traded. A forecast has what its round pays and asks by the feed of now; 502: its round is not traded.',
  example: MARKET_EXAMPLE,
  params: Type.Object({ marketId: Type.String({ description: 'The id of the market.' }) }),
  answer: OrderBookJson,
  handle: (desk, { params }) => {
    const { marketId, forecast } = requireMarket(desk, params.marketId);
    const book = desk.exchange.getBook(marketId);
    if (book === null) return forecast === null ? Buffer.from('null') : refuseBook();
    return {
      yes: book.yes.map(toCentRow),
      no: book.no.map(toCentRow),
      yes_dollars: book.yes.map(toDollarRow),
      no_dollars: book.no.map(toDollarRow),
    };
  },
});

/** Outside its trading, nobody has a book of a round. */
function refuseBook(): never {
  throw new PredictionRefused('no provider', 'The round has no order book now', {
    code: 'orderbook_bad_status',
    field: 'marketId',
  });
}

function toCentRow({ price, contracts }: PredictionBid): [number, number] {
  return [Number((price + HALF_CENT) / MICRO_PER_CENT), toNumber(contracts)];
}

function toDollarRow({ price, contracts }: PredictionBid): [string, number] {
  return [(Number(price) / Number(MICRO_PER_CONTRACT)).toFixed(PRICE_DIGITS), toNumber(contracts)];
}

function toNumber(microContracts: bigint): number {
  return Number(microContracts) / Number(MICRO_PER_CONTRACT);
}

/** `GET /trading-status`: whether orders are taken. */
export const getTradingStatus = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/trading-status',
  operationId: 'GetPredictionTradingStatus',
  summary: 'Whether orders are taken',
  description: 'False while the program takes no orders. Everything else is answered then, too.',
  answer: named('PredictionTradingStatus', Type.Object({ trading_active: Type.Boolean() })),
  handle: ({ vault }) => ({ trading_active: vault.isTradingActive() }),
});

/** `GET /vault-info`: what the vault holds. */
export const getVaultInfo = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/vault-info',
  operationId: 'GetPredictionVault',
  summary: 'The vault',
  description: 'Returns the vault that settles all orders, with what it holds.',
  answer: named(
    'PredictionVault',
    Type.Object({
      pubkey: Type.String(),
      data: Type.Record(Type.String(), Type.String(), { description: 'The fields of the account.' }),
      vaultBalance: Type.String({ description: 'JupUSD in the vault. Micro USD.' }),
    }),
  ),
  handle: ({ vault }) => {
    const fields = Object.entries(vault.account() ?? {});
    return {
      pubkey: PREDICTION_VAULT.address,
      data: Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
      vaultBalance: String(vault.balance()),
    };
  },
});
