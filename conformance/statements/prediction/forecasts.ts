import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { networkNow, advanceClock } from '../embedded-network.ts';
import { JUPUSD, USDC } from '../mints.ts';
import { signTransaction } from '../transactions.ts';
import {
  buildForecast,
  buyForecast,
  executeForecast,
  findTradedRound,
  listRounds,
} from './forecast-requests.ts';
import { askPrediction, askUntil, createTrader, findAbsent, waitForEvent } from './prediction-requests.ts';

// Markets on whether a price rises within minutes, which are traded by one swap and settle by themselves.

/** How long the longer rounds last, in seconds. */
const ROUND = 900;
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const POINT_FIELDS = [
  ...['market_ticker', 'event_ticker', 'end_period_ts', 'period_interval', 'numerical_forecast'],
  ...['raw_numerical_forecast', 'formatted_forecast'],
];

function refused(code: string, message: string) {
  return { status: 400, body: { type: 'invalid_request_error', code, message } };
}

export const forecastStatements: readonly Statement[] = [
  {
    id: 'prediction/forecast-rounds',
    says: '`provider=bisonfi` lists rounds of two markets, `BISON-<account>-UP` and `-DOWN`, each with the mint of its Token-2022 token; `tag` selects their length.',
    check: async (world) => {
      await findTradedRound(world);
      const rounds = await listRounds(world, '&tag=15m');
      const [round] = rounds;
      const [up, down] = round?.markets ?? [];
      return firstOf(
        unless(rounds.length > 0 && rounds.every(({ tags }) => tags.includes('15m')), rounds),
        unless(round?.subcategory === 'btc' && round.eventId === `BISON-${up?.marketPda}`, round),
        unless(
          up?.marketId === `BISON-${up?.marketPda}-UP` && down?.marketId === `BISON-${up?.marketPda}-DOWN`,
          round,
        ),
        unless(up?.provider === 'bisonfi' && up.outcomeSide === 'up' && down?.outcomeSide === 'down', round),
        unless(up?.outcomeTokenProgram === TOKEN_2022 && up.outcomeMint !== down?.outcomeMint, up),
        unless(['open', 'resolving', 'settled'].includes(`${up?.lifecycleStatus}`), up),
      );
    },
  },
  {
    id: 'prediction/forecast-lists',
    says: 'Forecasts are listed under `events/crypto/timed` by asset and length, are found by their ids, and are not among the events of the default provider.',
    check: async (world) => {
      const [up] = await findTradedRound(world);
      const timed = await askPrediction(world, '/events/crypto/timed?subcategory=btc&includeMarkets=true');
      const others = await askPrediction(world, '/events/crypto/timed?subcategory=doge');
      const usual = await askPrediction(world, '/events?end=1000');
      const event = await askPrediction(world, `/events/${up.eventId}?includeMarkets=true`);
      const market = await askPrediction(world, `/markets/${up.marketId}`);
      const ids = (json: { readonly data: readonly { readonly eventId: string }[] }) =>
        json.data.map(({ eventId }) => eventId);
      return firstOf(
        difference(timed, { status: 200 }),
        unless(ids(timed.json).includes(up.eventId), ids(timed.json)),
        difference(others, { status: 200, body: { data: [] } }),
        unless(!ids(usual.json).includes(up.eventId), ids(usual.json)),
        difference(event, { status: 200, body: { eventId: up.eventId, category: 'crypto' } }),
        difference(market, { status: 200, body: { marketId: up.marketId, outcomeMint: up.outcomeMint } }),
      );
    },
  },
  {
    id: 'prediction/forecast-prices',
    says: 'A round that is traded has prices of both sides, which together cost more than a dollar to buy, and an order book.',
    check: async (world) => {
      const [up, down] = await findTradedRound(world);
      const book = await askPrediction(world, `/orderbook/${up.marketId}`);
      const costs = Number(up.pricing.buyYesPriceUsd) + Number(down.pricing.buyYesPriceUsd);
      const brings = Number(up.pricing.sellYesPriceUsd) + Number(down.pricing.sellYesPriceUsd);
      return firstOf(
        unless(costs > 1_000_000 && brings < 1_000_000 && brings > 0, [up.pricing, down.pricing]),
        difference(book, { status: 200 }),
        unless(Array.isArray(book.json?.yes) && Array.isArray(book.json.yes_dollars), book.text),
      );
    },
  },
  {
    id: 'prediction/forecast-build',
    says: 'A purchase is one swap: `bisonfi_swap`, `atomic_swap` and `auto`, with the id of the swap and no order; `isYes` is answered true, whatever was sent.',
    check: async (world) => {
      const [, down] = await findTradedRound(world);
      const trader = await createTrader(world);
      const answer = await buildForecast(world, trader.address, down.marketId, { isYes: false });
      const { json } = answer;
      const { order } = json;
      return firstOf(
        difference(answer, {
          status: 200,
          body: { executionModel: 'atomic_swap', settlement: 'auto', externalOrderId: null },
        }),
        unless(json.execution.context.type === 'bisonfi_swap', json.execution),
        unless(json.execution.endpoint === '/api/v1/execute' && UUID.test(json.jupiterSwapRequestId), json),
        unless(
          order.orderPubkey === null && order.orderAtaPubkey === null && order.externalOrderId === null,
          order,
        ),
        unless(order.isYes === true && /^[0-9a-f]{32}$/.test(order.marketIdHash), order),
        unless(json.requiredSigners.join() === trader.address, json.requiredSigners),
        unless(order.estimatedTotalFeeUsd === '0' && order.orderCostUsd === '5000000', order),
      );
    },
  },
  {
    id: 'prediction/forecast-life',
    says: 'The position is there as soon as `execute` has answered; it is sold with `DELETE`, and the history has both trades. There is no order to ask for.',
    check: async (world) => {
      const [up] = await findTradedRound(world);
      const trader = await createTrader(world);
      const built = (await buildForecast(world, trader.address, up.marketId)).json;
      const executed = await executeForecast(world, built, trader);
      const path = `/positions/${built.order.positionPubkey}`;
      const position = await askPrediction(world, path);
      const listed = await askPrediction(world, `/positions?ownerPubkey=${trader.address}`);
      const status = await askPrediction(world, `/orders/status/${built.order.positionPubkey}`);
      const claim = await askPrediction(world, `${path}/claim`, 'POST', { ownerPubkey: trader.address });
      const sale = await askPrediction(world, path, 'DELETE', { ownerPubkey: trader.address });
      const sold = await executeForecast(world, sale.json, trader);
      const isSold = (entry: { readonly eventType: string; readonly isBuy: boolean }) =>
        entry.eventType === 'order_filled' && !entry.isBuy;
      const history = await askUntil(world, `/history?ownerPubkey=${trader.address}`, ({ json }) =>
        json?.data?.some(isSold),
      );
      return firstOf(
        difference(executed, { status: 200, body: { status: 'Success', error: null } }),
        difference(position, {
          status: 200,
          body: { marketId: up.marketId, isYes: true, claimable: false, claimed: false },
        }),
        unless(Number(position.json.contractsMicro) > 5_000_000, position.json),
        unless(
          listed.json.data.length === 1 && listed.json.data[0].pubkey === position.json.pubkey,
          listed.json,
        ),
        difference(status, { status: 404 }),
        difference(claim, { status: 400, body: { code: 'claim_position_failed' } }),
        unless(sale.json?.order?.newContractsMicro === '0' && sale.json.order.isBuy === false, sale.text),
        difference(sold, { status: 200, body: { status: 'Success' } }),
        unless(
          history.json.data.filter(({ orderPubkey }: { readonly orderPubkey: string }) => orderPubkey === '')
            .length === 2,
          history.json,
        ),
      );
    },
  },
  {
    id: 'prediction/forecast-refusals',
    says: 'A forecast takes USDC alone, from 5 to 250, without a price to wait for.',
    check: async (world) => {
      const [up] = await findTradedRound(world);
      const trader = await createTrader(world);
      const build = (change: object) => buildForecast(world, trader.address, up.marketId, change);
      return firstOf(
        difference(
          await build({ depositMint: JUPUSD }),
          refused('bisonfi_usdc_only', 'Forecast orders can only use USDC'),
        ),
        difference(
          await build({ depositAmount: 4_999_999 }),
          refused('create_order_failed', 'Minimum order is $5'),
        ),
        difference(
          await build({ depositAmount: '250000001' }),
          refused('create_order_failed', 'Maximum order is $250'),
        ),
        difference(await build({ maxBuyPriceUsd: '500000' }), {
          status: 400,
          body: { param: 'maxBuyPriceUsd' },
        }),
        difference(await build({ depositAmount: '200000000' }), {
          status: 400,
          body: { code: 'INSUFFICIENT_FUNDS' },
        }),
      );
    },
  },
  {
    id: 'prediction/forecast-dust',
    says: 'A sale of less than 0.01 of a token is refused with `bisonfi_position_too_small`.',
    check: async (world) => {
      const [up] = await findTradedRound(world);
      const trader = await createTrader(world);
      const built = await buyForecast(world, trader, up.marketId);
      const answer = await askPrediction(world, '/orders', 'POST', {
        ownerPubkey: trader.address,
        positionPubkey: built.order.positionPubkey,
        isBuy: false,
        isYes: true,
        contractsMicro: '9999',
      });
      return difference(answer, { status: 400, body: { code: 'bisonfi_position_too_small' } });
    },
  },
  {
    id: 'prediction/forecast-swap',
    says: 'The token of a side is bought and sold by a swap too, without the limits of orders, and is a position then.',
    check: async (world) => {
      const [up] = await findTradedRound(world);
      const trader = await createTrader(world);
      const swap = async (inputMint: string, outputMint: string, amount: string) => {
        const query = { inputMint, outputMint, amount, taker: trader.address, slippageBps: '10000' };
        const order = await world.ask(`/swap/v2/order?${new URLSearchParams(query)}`);
        const signedTransaction = await signTransaction(order.json.transaction, trader);
        const body = { signedTransaction, requestId: order.json.requestId };
        return world.ask('/swap/v2/execute', { method: 'POST', body });
      };
      const bought = await swap(USDC, up.outcomeMint, '1000000');
      const path = `/positions?ownerPubkey=${trader.address}`;
      const listed = await askUntil(world, path, ({ json }) => json?.data?.length === 1);
      const sold = await swap(up.outcomeMint, USDC, listed.json.data[0].contractsMicro);
      return firstOf(
        difference(bought, { status: 200, body: { status: 'Success' } }),
        unless(listed.json.data[0].marketId === up.marketId, listed.json),
        difference(sold, { status: 200, body: { status: 'Success' } }),
      );
    },
  },
  {
    id: 'prediction/forecast-series',
    says: '`forecast` tells how the chance of a market went; without `marketId` it is a 400.',
    check: async (world) => {
      const [up] = await findTradedRound(world);
      const path = `/forecast?marketId=${up.marketId}`;
      const answer = await askUntil(world, path, ({ json }) => json?.forecast_history?.length > 0);
      const without = await askPrediction(world, '/forecast');
      const [point] = answer.json.forecast_history;
      return firstOf(
        difference(answer, { status: 200 }),
        unless(findAbsent(point, POINT_FIELDS).length === 0, point),
        unless(point?.market_ticker === up.marketId && point.event_ticker === up.eventId, point),
        difference(without, { status: 400, body: { type: 'invalid_request_error', param: 'marketId' } }),
      );
    },
  },
];

/** Statements that put the clock of the network forward. They are the last ones. */
export const forecastTimeStatements: readonly Statement[] = [
  {
    id: 'prediction/forecast-settlement',
    says: 'A round is settled by the price at its close and pays its winners without a claim; until then it is closed, not tradable, and without an order book. What lost is `position_lost`.',
    check: async (world) => {
      // Earlier statements put the clock far forward, and the price with it, in the middle of a round.
      await advanceClock(world, ROUND - (Math.floor((await networkNow(world)) / 1_000) % ROUND) + 1);
      const [up, down] = await findTradedRound(world);
      const [bull, bear] = [await createTrader(world), await createTrader(world)];
      for (const [trader, { marketId }] of [
        [bull, up],
        [bear, down],
      ] as const) {
        await buyForecast(world, trader, marketId);
      }
      const now = Math.floor((await networkNow(world)) / 1_000);
      await advanceClock(world, up.closeTime - now - 10);
      const closing = await buildForecast(world, bull.address, up.marketId);
      const book = await askPrediction(world, `/orderbook/${up.marketId}`);
      // A price that was fixed is published again after a minute.
      await advanceClock(world, 75);
      const settled = await askUntil(world, `/markets/${up.marketId}`, ({ json }) => json?.result !== null);
      const { result } = settled.json;
      const [winner, loser] = result === 'yes' ? [bull, bear] : [bear, bull];
      const paid = await waitForEvent(world, winner.address, 'payout_claimed');
      const lost = await waitForEvent(world, loser.address, 'position_lost');
      const other = await askPrediction(world, `/markets/${down.marketId}`);
      const left = await askPrediction(world, `/positions?ownerPubkey=${winner.address}`);
      return firstOf(
        difference(closing, { status: 400, body: { code: 'bisonfi_market_not_tradable' } }),
        difference(book, { status: 502, body: { type: 'api_error', code: 'orderbook_bad_status' } }),
        difference(settled, {
          status: 200,
          body: { status: 'closed', lifecycleStatus: 'settled', tradable: false },
        }),
        unless(other.json.result === (result === 'yes' ? 'no' : 'yes'), other.json),
        unless(Number(paid?.payoutAmountUsd) > 5_000_000 && paid.marketId.startsWith('BISON-'), paid),
        unless(lost?.payoutAmountUsd === '0', lost),
        unless(
          left.json.data.every(({ claimable }: { readonly claimable: boolean }) => !claimable),
          left.json,
        ),
      );
    },
  },
];
