import { and, eq, inArray, lt } from 'drizzle-orm';
import type { Store } from '../../../store/index.ts';
import { REMOVED_IN_ONE_STEP } from '../../../store/sql/remove-old.ts';
import { predictionDecided, predictionHourlyPnl, predictionTotals } from './total-tables.ts';
import { findPeriodStart, toHour, TRADING_PERIODS, type TradingPeriod } from './trading-periods.ts';

/** How many hours of realized profit are kept. Charts show those of up to 30 days. */
const KEPT_HOURS = 32 * 24;
/** How long it is kept which predictions are decided. Within this time after a result, everything is paid out. */
const DECIDED_SECONDS = 32 * 86_400;

/** What the removal of old totals needs to know. */
export interface TotalRemovalOptions {
  /** The genesis hash. */
  readonly network: string;
  /** The Unix second of the network. */
  readonly now: bigint;
  /** Called before each step; when it returns true, the rest is left to the next call. */
  readonly isStopped: () => boolean;
}

/** Removes the hours and the periods that nobody shows any more. The figures of all time stay. */
export async function removeOldTotals(store: Store, options: TotalRemovalOptions): Promise<void> {
  const second = Number(options.now);
  await removeAll(options, () => removeHours(store, options.network, toHour(second) - KEPT_HOURS));
  await removeAll(options, () => removeDecided(store, options.network, second - DECIDED_SECONDS));
  for (const period of TRADING_PERIODS) {
    const start = findPeriodStart(period, second);
    await removeAll(options, () => removePeriods(store, options.network, { period, before: start }));
  }
}

async function removeAll(
  { isStopped }: Pick<TotalRemovalOptions, 'isStopped'>,
  removeSome: () => Promise<number>,
): Promise<void> {
  let removed = REMOVED_IN_ONE_STEP;
  while (removed === REMOVED_IN_ONE_STEP && !isStopped()) removed = await removeSome();
}

async function removeHours({ db }: Store, network: string, before: number): Promise<number> {
  const { owner, hour } = predictionHourlyPnl;
  const isOld = and(eq(predictionHourlyPnl.network, network), lt(hour, before));
  const rows = await db.select({ owner }).from(predictionHourlyPnl).where(isOld).limit(REMOVED_IN_ONE_STEP);
  if (rows.length === 0) return 0;
  const owners = [...new Set(rows.map((row) => row.owner))];
  await db.delete(predictionHourlyPnl).where(and(isOld, inArray(owner, owners)));
  return rows.length;
}

async function removeDecided({ db }: Store, network: string, before: number): Promise<number> {
  const { owner, at } = predictionDecided;
  const isOld = and(eq(predictionDecided.network, network), lt(at, before));
  const rows = await db.select({ owner }).from(predictionDecided).where(isOld).limit(REMOVED_IN_ONE_STEP);
  if (rows.length === 0) return 0;
  const owners = [...new Set(rows.map((row) => row.owner))];
  await db.delete(predictionDecided).where(and(isOld, inArray(owner, owners)));
  return rows.length;
}

async function removePeriods(
  { db }: Store,
  network: string,
  { period, before }: { readonly period: TradingPeriod; readonly before: number },
): Promise<number> {
  const { owner, start } = predictionTotals;
  const isOld = and(
    eq(predictionTotals.network, network),
    eq(predictionTotals.period, period),
    lt(start, before),
  );
  const rows = await db.select({ owner }).from(predictionTotals).where(isOld).limit(REMOVED_IN_ONE_STEP);
  if (rows.length === 0) return 0;
  const owners = [...new Set(rows.map((row) => row.owner))];
  await db.delete(predictionTotals).where(and(isOld, inArray(owner, owners)));
  return rows.length;
}
