import { randomBytes } from 'node:crypto';
import type { Chain } from '../chain/chain.ts';
import { createOutageLog } from '../common/outage-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import type { Forecasts } from '../forecasts/forecast.ts';
import { addForecastPrices } from '../forecasts/quotes/forecast-exchange.ts';
import { createForecastQuotes } from '../forecasts/quotes/forecast-quotes.ts';
import type { PredictionControls } from '../gateway/admin/predictions/prediction-endpoints.ts';
import { addGasBudget } from './gas-wallet.ts';
import { createGiftBudget } from '../predictions/keeper/sending/gift-budget.ts';
import {
  openPredictionKeeper,
  type OpenedPredictionKeeper,
} from '../predictions/opening/open-prediction-keeper.ts';
import { openPredictions, type Predictions } from '../predictions/opening/open-predictions.ts';
import type { PredictionEvents, PredictionExchange } from '../predictions/prediction.ts';
import { decodePredictionVault } from '../protocols/jupiter-prediction/prediction-vault.ts';
import { PREDICTION_VAULT } from '../protocols/jupiter-prediction/prediction-program.ts';
import type { PredictionWallets } from '../sandbox/open-embedded-network.ts';
import { createKeypairFromSeed, type Keypair } from '../solana/keypair.ts';
import { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';
import { createDemoEvents, startDemoTrades } from './demo-predictions.ts';
import type { AppForecasts } from './forecasts.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

const SEED_BYTES = 32;

/** Prediction markets as a product works with them. */
export interface TradedPredictions extends Pick<Predictions, 'events' | 'accounts' | 'history' | 'social'> {
  readonly exchange: PredictionExchange;
  readonly lists: ReturnType<Predictions['createLists']>;
  /** Null on a network that was founded before it had the program of forecasts. */
  readonly forecasts: Forecasts | null;
  /** Signs beside the owner of every order. */
  readonly authority: Keypair;
}

/** Prediction markets as the product and the admin interface work with them. */
export interface AppPredictions {
  readonly markets: TradedPredictions;
  /** Null on a network where no orders are traded. */
  readonly controls: Omit<PredictionControls, 'platform'> | null;
  /** Returns why they are not followed or traded; null when they are. */
  readonly unhealthy: () => string | null;
}

interface PredictionParts {
  readonly metrics: Metrics;
  /** Whether this process fills orders. */
  readonly isKeeper: boolean;
  /** Null if none are served. */
  readonly forecasts: AppForecasts | null;
}

/**
 * Opens prediction markets, with the keeper that fills their orders, until the application is closed. Orders need the keys of their
 * program, so they are traded on the instance's own network alone; over an outside RPC, all markets are forecasts. Returns null where
 * there are none, and on a network that was founded before it had prediction markets.
 */
export async function openAppPredictions(
  opening: StartContext,
  lower: LowerRooms,
  parts: PredictionParts,
): Promise<AppPredictions | null> {
  const { config, logger, toClose } = opening;
  const { state, network, market } = lower;
  const { chain } = market;
  const { forecasts } = parts;
  const wallets = network.wallets?.predictions ?? null;
  if (wallets === null && forecasts === null) return null;
  if (wallets !== null && !(await hasPredictionVault(chain, wallets))) {
    logger.info(
      'this network was founded before it had prediction markets, so none are served; sluice reset founds it again',
    );
    return null;
  }
  const predictions = await openPredictions({
    chain,
    store: state.store,
    tradesOrders: wallets !== null,
    others: forecasts?.record,
    historyDays: config.prediction.historyDays,
    timers: SYSTEM_TIMERS,
    createOutageLog: (what) =>
      createOutageLog(
        logger,
        `the ${what} of prediction markets cannot be read now; what is missed meanwhile is read later`,
        `the ${what} of prediction markets are read again`,
      ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'prediction markets'),
  });
  toClose(predictions.close);
  const keeper =
    wallets !== null && parts.isKeeper
      ? await openKeeper(opening, lower, { ...parts, predictions, wallets })
      : null;
  const exchange = joinExchange(keeper?.exchange ?? NO_EXCHANGE, predictions, lower, forecasts);
  const admin = predictions.createAdmin(keeper);
  const { events, allEvents, accounts, history, social } = predictions;
  if (wallets !== null && !config.production) await createDemoEvents(opening, lower, predictions, admin);
  const markets = {
    events: allEvents,
    accounts,
    exchange,
    history,
    social,
    lists: predictions.createLists(exchange),
    forecasts: openListedForecasts(opening, forecasts, allEvents, exchange),
    // Where no orders are traded, nothing is signed with it.
    authority: wallets?.authority ?? createKeypairFromSeed(randomBytes(SEED_BYTES)),
  };
  if (keeper !== null && !config.production && config.prediction.demoTraders) {
    startDemoTrades(opening, lower, markets);
  }
  return {
    markets,
    controls: wallets === null ? null : { events, admin, now: () => Number(chain.clock().unixTimestamp) },
    unhealthy: () => predictions.unhealthy() ?? keeper?.unhealthy() ?? null,
  };
}

/** Adds what forecasts cost to the prices of the exchange. */
function joinExchange(
  exchange: PredictionExchange,
  { allEvents }: Pick<Predictions, 'allEvents'>,
  { market: { chain, pools } }: LowerRooms,
  forecasts: AppForecasts | null,
): PredictionExchange {
  if (forecasts === null) return exchange;
  return addForecastPrices(exchange, allEvents, createForecastQuotes({ pools, chain }));
}

/** Begins to record how the chances of markets go, and returns forecasts as the product works with them. */
function openListedForecasts(
  { toClose }: StartContext,
  forecasts: AppForecasts | null,
  events: PredictionEvents,
  exchange: PredictionExchange,
): Forecasts | null {
  if (forecasts === null) return null;
  const { rounds, record } = forecasts;
  const series = record.openSeries(events, exchange);
  toClose(() => series.close());
  return { rounds, holdings: record.holdings, series };
}

/** What an instance without a keeper knows of trading. */
const NO_EXCHANGE: PredictionExchange = {
  getPrices: () => null,
  getBook: () => null,
  estimateBuy: () => ({ contracts: 0n, amount: 0n, fee: 0n, worstPrice: null }),
  estimateSell: () => ({ contracts: 0n, amount: 0n, fee: 0n, worstPrice: null }),
  onChange: () => () => undefined,
};

/** Returns whether the network has a vault that obeys these keys. One that was founded before prediction markets has none. */
export async function hasPredictionVault(
  chain: Pick<Chain, 'getAccounts'>,
  { authority, keeper, cosigner }: PredictionWallets,
): Promise<boolean> {
  const [update] = await chain.getAccounts([PREDICTION_VAULT.address]);
  const account = update?.account ?? null;
  const vault = account === null ? null : decodePredictionVault(account.data);
  return (
    vault !== null &&
    vault.authority === authority.address &&
    vault.keeper === keeper.address &&
    vault.cosigner === cosigner.address
  );
}

async function openKeeper(
  { config, logger, toClose }: StartContext,
  { state, market }: LowerRooms,
  {
    metrics,
    predictions,
    wallets,
  }: Pick<PredictionParts, 'metrics'> & {
    readonly predictions: Predictions;
    readonly wallets: PredictionWallets;
  },
): Promise<OpenedPredictionKeeper> {
  const { chain, describeFailure } = market;
  const { store } = state;
  const wallet = await GasWallet.open(wallets.keeper, { limits: config.gas.limits, store, chain });
  toClose(() => wallet.close());
  const giftBudget = createGiftBudget(wallets.keeper.address, config.gas.limits, store);
  metrics.wallet({
    name: 'keeper of predictions',
    address: wallets.keeper.address,
    meaning:
      'It pays for the fills of prediction orders and for the results of markets. While it is empty, orders wait and are returned when they expire.',
    lamports: () => wallet.lamports(),
  });
  addGasBudget(metrics, {
    name: 'fills of prediction orders',
    payer: wallets.keeper.address,
    budget: wallet.budget,
    atLimit: 'Prediction orders wait until midnight UTC. The setting is gas-lamports-per-day.',
  });
  addGasBudget(metrics, {
    name: 'token accounts of paid wallets',
    payer: wallets.keeper.address,
    budget: giftBudget,
    atLimit:
      'Wallets without a token account are paid after midnight UTC. It is a quarter of gas-lamports-per-day.',
  });
  const keeper = await openPredictionKeeper({
    chain,
    store,
    describeFailure,
    events: predictions.events,
    accounts: predictions.accounts,
    unread: predictions.unread,
    wallet,
    giftBudget,
    cosigner: wallets.cosigner,
    // The instance that carries the network alone has the keys of the program, so it gives the lead to nobody.
    leases: null,
    timers: SYSTEM_TIMERS,
    metrics,
    orderLifetimeSeconds: BigInt(config.prediction.orderHours) * 3_600n,
    outage: createOutageLog(
      logger,
      'orders on prediction markets are not filled now; they are filled when what fails answers again',
      'orders on prediction markets are filled again',
    ),
    onDefect: (where, error) =>
      logger.error({ where, err: error }, 'the keeper of prediction markets failed'),
  });
  toClose(async () => {
    await waitWithin(keeper.drain(), config.stopTimeoutMs, SYSTEM_TIMERS);
    await keeper.close();
  });
  return keeper;
}
