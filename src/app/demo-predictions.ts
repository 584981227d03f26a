import { randomBytes, randomUUID } from 'node:crypto';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import { createForecastQuotes } from '../forecasts/quotes/forecast-quotes.ts';
import type { PredictionControls } from '../gateway/admin/predictions/prediction-endpoints.ts';
import { openPredictionVault } from '../predictions/crafting/prediction-vault.ts';
import { findDemoScore, listDemoEvents } from '../sandbox/demo/prediction-events.ts';
import { makeDemoTrades } from '../sandbox/demo/prediction-trades.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { TradedPredictions } from './prediction.ts';
import type { StartContext } from './state/start-context.ts';

/** Creates the events of the demo that do not exist yet. */
export async function createDemoEvents(
  { logger }: StartContext,
  { state: { store }, market: { chain } }: LowerRooms,
  { events }: Pick<TradedPredictions, 'events'>,
  admin: PredictionControls['admin'],
): Promise<void> {
  for (const event of listDemoEvents(Number(chain.clock().unixTimestamp))) {
    if (event.eventId === undefined || events.findEvent(event.eventId) !== null) continue;
    const change: Parameters<typeof admin.createEvent>[0] = (work) =>
      store.transaction(async (db) => (await work(db)).result);
    const score = findDemoScore(event.eventId);
    const created = await admin.createEvent(change, event);
    const made = created.ok && score !== null ? await admin.postScore(change, event.eventId, score) : created;
    if (made.ok) continue;
    logger.warn({ event: event.eventId, reason: made.error.message }, 'an event of the demo was not created');
    return;
  }
}

/** Lets the wallets of the demo trade in the background, until they are done or the application is closed. */
export function startDemoTrades(
  { config, logger, toClose }: StartContext,
  { network, market }: LowerRooms,
  { authority, events, accounts, exchange, forecasts }: TradedPredictions,
): void {
  const traders = network.wallets?.predictionTraders ?? [];
  const { chain, pools, lookupTables } = market;
  const ending = new AbortController();
  const reportFailure = (error: unknown) =>
    logger.warn({ err: error }, 'a trade of the demo on prediction markets was not made');
  const trade = async () => {
    const vault = await openPredictionVault(chain);
    const building = { chain, pools, lookupTables, events, gasless: null };
    const crafting = {
      ...building,
      accounts,
      exchange,
      vault,
      authority,
      newOrderId: () => randomBytes(16).toString('hex'),
    };
    const forecastCrafting =
      forecasts === null
        ? null
        : {
            ...building,
            rounds: forecasts.rounds,
            holdings: forecasts.holdings,
            quotes: createForecastQuotes({ pools, chain }),
            newRequestId: randomUUID,
          };
    const options = {
      traders,
      crafting,
      forecasts: forecastCrafting,
      timers: SYSTEM_TIMERS,
      onDefect: reportFailure,
    };
    await makeDemoTrades(options, ending.signal).finally(() => vault.close());
  };
  const trading = trade().catch(reportFailure);
  toClose(async () => {
    ending.abort();
    await waitWithin(trading, config.stopTimeoutMs, SYSTEM_TIMERS);
  });
}
