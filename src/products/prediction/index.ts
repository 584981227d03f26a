import { randomBytes, randomUUID } from 'node:crypto';
import type { Chain } from '../../chain/chain.ts';
import { isForecastSwap } from '../../forecasts/crafting/forecast-execution.ts';
import { OutcomeMints } from '../../forecasts/crafting/outcome-mints.ts';
import { createForecastQuotes } from '../../forecasts/quotes/forecast-quotes.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import { GaslessOrders } from '../../predictions/crafting/paying/gasless-orders.ts';
import { openPredictionVault } from '../../predictions/crafting/prediction-vault.ts';
import { createForecastPositions } from '../../forecasts/overview/forecast-positions.ts';
import { createPredictionPositions } from '../../predictions/overview/prediction-positions.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import {
  openSignedTransactions,
  type SignedTransactionsOptions,
} from '../../transactions/signed/open-signed.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { getEvent, getEventMarket, getMarket, listEventMarkets } from './endpoints/events/event-markets.ts';
import { listEvents, listTimedEvents, searchEvents, suggestEvents } from './endpoints/events/event-lists.ts';
import { getForecastSeries } from './endpoints/events/forecast-series.ts';
import { executeOrder, HOST_EXECUTE_PATH } from './endpoints/orders/execute.ts';
import { listHistory } from './endpoints/positions/history.ts';
import { buildOrder } from './endpoints/orders/order-builds.ts';
import { getOrder, getOrderStatus, listOrders } from './endpoints/orders/order-lists.ts';
import { claimPosition, closePosition, closePositions } from './endpoints/positions/position-builds.ts';
import { getPosition, listPositions } from './endpoints/positions/position-lists.ts';
import { getOrderBook, getTradingStatus, getVaultInfo } from './endpoints/events/trading.ts';
import { listLeaderboard } from './endpoints/social/leaderboards.ts';
import { getProfile, listPnlHistory, listProfilePositions } from './endpoints/social/profiles.ts';
import { getScore, listScores } from './endpoints/social/scores.ts';
import { listTrades } from './endpoints/social/trades.ts';
import { EventPieces } from './endpoints/json/event-pieces.ts';
import type {
  PredictionMarkets,
  PredictionProductParts,
  PredictionServices,
} from './endpoints/prediction-services.ts';

export interface PredictionDependencies extends Pick<SignedTransactionsOptions, 'peers'> {
  readonly predictions: PredictionProductParts;
  readonly market: Pick<SignedTransactionsOptions, 'describeFailure'> & {
    readonly chain: Chain;
    readonly pools: Pools;
    readonly lookupTables: LookupTableIndex;
  };
  /** Null without a sponsor. */
  readonly sponsor: Sponsor | null;
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly walletTransactionsKey: Uint8Array;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Markets about events, whose contracts pay 1.00 or nothing. */
export const prediction = defineProduct({
  name: 'prediction',
  description: 'Markets about events: orders, positions and payouts.',
  basePaths: ['/prediction', HOST_EXECUTE_PATH],
  errorSections: [{ heading: 'Prediction markets' }],
  examples: [
    { title: 'events with their markets', path: listEvents.path, query: { includeMarkets: 'true' } },
  ],
  endpoints: [
    listEvents,
    searchEvents,
    listTimedEvents,
    suggestEvents,
    getEvent,
    listEventMarkets,
    getEventMarket,
    getMarket,
    getOrderBook,
    getTradingStatus,
    getForecastSeries,
    listOrders,
    buildOrder,
    getOrderStatus,
    getOrder,
    executeOrder,
    listPositions,
    closePositions,
    getPosition,
    closePosition,
    claimPosition,
    listHistory,
    getVaultInfo,
    getScore,
    listScores,
    getProfile,
    listPnlHistory,
    listProfilePositions,
    listLeaderboard,
    listTrades,
  ],
  open: openPredictionProduct,
});

async function openPredictionProduct(
  dependencies: PredictionDependencies,
): Promise<OpenedProduct<PredictionServices>> {
  const { refusedCountries, markets } = dependencies.predictions;
  if (markets === null) return { services: { refusedCountries, desk: null } };
  return openDesk(dependencies, markets);
}

async function openDesk(
  {
    predictions: { refusedCountries },
    market,
    sponsor,
    peers,
    walletTransactionsKey,
    onDefect,
  }: PredictionDependencies,
  { authority, ...markets }: PredictionMarkets,
): Promise<OpenedProduct<PredictionServices>> {
  const { chain, pools, lookupTables, describeFailure } = market;
  const { events, accounts, exchange, lists, forecasts } = markets;
  const onError = (error: unknown) => onDefect('orders of prediction markets', error);
  const vault = await openPredictionVault(chain);
  const gasless =
    sponsor === null ? null : new GaslessOrders({ sponsor, chain, accounts, onDefect: onError });
  const signed = openSignedTransactions({
    chain,
    describeFailure,
    sealKey: walletTransactionsKey,
    peers,
    onDefect: onError,
  });
  const now = () => Number(chain.clock().unixTimestamp);
  const pieces = new EventPieces({ events, exchange, lists, now });
  const outcomeMints = forecasts === null ? null : new OutcomeMints(forecasts.rounds);
  const newOrderId = () => randomBytes(16).toString('hex');
  const forecastCrafting =
    forecasts === null
      ? null
      : {
          chain,
          pools,
          lookupTables,
          events,
          rounds: forecasts.rounds,
          holdings: forecasts.holdings,
          quotes: createForecastQuotes({ pools, chain }),
          gasless,
          newRequestId: randomUUID,
        };
  return {
    services: {
      refusedCountries,
      desk: {
        ...markets,
        vault,
        crafting: {
          chain,
          pools,
          lookupTables,
          events,
          accounts,
          exchange,
          vault,
          authority,
          gasless,
          newOrderId,
        },
        forecastCrafting,
        executing: {
          ...signed,
          authority: authority.address,
          isForecastSwap: (message) => outcomeMints !== null && isForecastSwap(message, outcomeMints),
        },
        pieces,
      },
    },
    positionFetchers: [
      createPredictionPositions({ accounts, lists }),
      ...(forecasts === null ? [] : [createForecastPositions({ ...forecasts, events, exchange })]),
    ],
    drain: () => signed.runs.settled(),
    close: () => {
      gasless?.close();
      outcomeMints?.close();
      pieces.close();
      vault.close();
    },
  };
}
