import { addGasBudget } from './gas-wallet.ts';
import { createOutageLog } from '../common/outage-log.ts';
import { OperatorError } from '../common/operator-error.ts';
import { Unavailable } from '../common/unavailable.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import {
  findForecastProblem,
  type ForecastsOptions,
  type OpenedForecasts,
  openForecasts,
} from '../forecasts/opening/open-forecasts.ts';
import { type ForecastRecord, openForecastRecord } from '../forecasts/opening/open-forecast-record.ts';
import { GasBudget } from '../waiting-orders/fills/gas-budget.ts';
import { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';
import type { Keypair } from '../solana/keypair.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/** The name by which the budget of payouts is kept apart from that of rounds. */
const PAYOUTS = 'forecast-payouts';
/** Payouts may cost one part in so many of what rounds may. */
const PAYOUT_SHARE = 2n;

/** Forecasts as prediction markets are listed with them. */
export interface AppForecasts {
  readonly rounds: OpenedForecasts['rounds'];
  readonly record: ForecastRecord;
  /** Returns why something of them is not known, or not done, for the operator; null if nothing is missing. */
  readonly unhealthy: () => string | null;
}

interface ForecastParts {
  readonly metrics: Metrics;
  /** Whether this process opens rounds, and pays their holders. */
  readonly isKeeper: boolean;
}

/**
 * Opens the rounds of forecasts and their record until the application is closed, with their keeper where the instance has its own
 * network. Returns null if none are served.
 *
 * @throws OperatorError when the network of `rpc-url` has no forecasts on the feed that is configured.
 */
export async function openAppForecasts(
  opening: StartContext,
  lower: LowerRooms,
  parts: ForecastParts,
): Promise<AppForecasts | null> {
  const { config, logger, toClose } = opening;
  const { network, market } = lower;
  const { chain } = market;
  const { isOn, feed } = config.forecasts;
  const operator = network.wallets?.forecastOperator ?? null;
  if (!isOn || (operator === null && feed === null)) return null;
  const problem = await findForecastProblem(chain, { operator: operator?.address ?? null, feed }).catch(
    (error: unknown) => {
      if (operator === null && error instanceof Unavailable) return error.message;
      throw error;
    },
  );
  if (problem !== null && operator === null) {
    throw new OperatorError(`the network of rpc-url cannot serve the forecasts of forecast-feed: ${problem}`);
  }
  if (problem !== null) {
    logger.info(
      { reason: problem },
      'this network was founded before it had forecasts, so none are served; sluice reset founds it again',
    );
    return null;
  }
  const forecasts = await openForecasts({
    chain,
    feed,
    keeper:
      operator === null || !parts.isKeeper ? null : await createKeeperParts(opening, lower, operator, parts),
    timers: SYSTEM_TIMERS,
    outage: createOutageLog(
      logger,
      'the rounds of forecasts cannot be read now; they are read again',
      'the rounds of forecasts are read again',
    ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'forecasts'),
  });
  toClose(async () => {
    await waitWithin(forecasts.drain(), config.stopTimeoutMs, SYSTEM_TIMERS);
    await forecasts.close();
  });
  const record = await openRecord(opening, lower, forecasts);
  return {
    rounds: forecasts.rounds,
    record,
    unhealthy: () => forecasts.unhealthy() ?? record.unhealthy(),
  };
}

async function openRecord(
  { config, logger, toClose }: StartContext,
  { state, network, market: { chain } }: LowerRooms,
  { rounds }: Pick<OpenedForecasts, 'rounds'>,
): Promise<ForecastRecord> {
  const record = await openForecastRecord({
    chain,
    store: state.store,
    rounds,
    isOwnNetwork: network.wallets !== null,
    historyDays: config.prediction.historyDays,
    timers: SYSTEM_TIMERS,
    createOutageLog: (what) =>
      createOutageLog(
        logger,
        `the ${what} of forecasts cannot be read now; what is missed meanwhile is read later`,
        `the ${what} of forecasts are read again`,
      ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'forecasts'),
  });
  toClose(record.close);
  return record;
}

async function createKeeperParts(
  { config, logger, toClose }: StartContext,
  { state: { store }, market: { chain, describeFailure } }: LowerRooms,
  operator: Keypair,
  { metrics }: ForecastParts,
): Promise<NonNullable<ForecastsOptions['keeper']>> {
  const { limits } = config.gas;
  const wallet = await GasWallet.open(operator, { limits, store, chain });
  toClose(() => wallet.close());
  const payoutLimits = { perWallet: limits.perWallet, inAll: limits.inAll / PAYOUT_SHARE };
  const payoutBudget = new GasBudget(operator.address, payoutLimits, store, PAYOUTS);
  metrics.wallet({
    name: 'operator of forecasts',
    address: operator.address,
    meaning:
      'It pays for opening, settling and paying the rounds of forecasts. While it is empty, no round is opened and none is paid.',
    lamports: () => wallet.lamports(),
  });
  addGasBudget(metrics, {
    name: 'rounds of forecasts',
    payer: operator.address,
    budget: wallet.budget,
    atLimit:
      'No further rounds are opened or settled until midnight UTC. The setting is gas-lamports-per-day.',
  });
  addGasBudget(metrics, {
    name: 'payouts of forecasts',
    payer: operator.address,
    budget: payoutBudget,
    atLimit: 'Holders of ended rounds are paid after midnight UTC. It is half of gas-lamports-per-day.',
  });
  return {
    describeFailure,
    wallet,
    payoutBudget,
    // The instance that carries the network alone has the key of the operator, so it gives the lead to nobody.
    leases: null,
    metrics,
    outage: createOutageLog(
      logger,
      'rounds of forecasts are not opened, settled or paid now; they are when what fails answers again',
      'rounds of forecasts are opened, settled and paid again',
    ),
  };
}
