import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../../store/index.ts';
import { splitRows } from '../../../store/sql/split-rows.ts';
import type { PredictionHistoryEvent } from '../../lists/prediction-lists.ts';
import { addFigures, countEvent, NO_FIGURES, type TradeFigures } from './count-event.ts';
import {
  EVERYBODY,
  predictionCounted,
  predictionDecided,
  predictionHourlyPnl,
  predictionTotals,
} from './total-tables.ts';
import { findPeriodStart, toHour, TRADING_PERIODS } from './trading-periods.ts';

/** So many predictions of a period have to be decided before an owner is ranked by win rate. */
export const LEAST_DECIDED = 10;

/** A rate of 100 percent, in hundredths of a percent. */
const FULL_RATE = 10_000;
/** The rank of an owner who is not ranked. */
const NO_RANK = -1;
const MAX_RANK = BigInt(Number.MAX_SAFE_INTEGER);

type TotalRow = typeof predictionTotals.$inferSelect;
type HourPlace = Pick<typeof predictionHourlyPnl.$inferSelect, 'owner' | 'hour'>;

/**
 * Adds events to the totals of their owners and of everybody.
 *
 * @param db - In the transaction that writes the events, which nobody else does at the same time.
 */
export async function addTotals(
  db: Database,
  network: string,
  events: readonly PredictionHistoryEvent[],
): Promise<void> {
  for (const some of splitRows(events)) {
    const counted = await countEvents(db, network, some);
    await addPeriods(db, network, counted);
    await addHours(db, network, counted);
  }
}

/** Returns how many hundredths of a percent of the decided predictions were correct; 0 if none is decided. */
export function computeWinRate({ correct, wrong }: Pick<TradeFigures, 'correct' | 'wrong'>): number {
  const decided = correct + wrong;
  return decided === 0 ? 0 : Math.floor((correct * FULL_RATE) / decided);
}

/**
 * Deletes all totals of a network.
 *
 * @param db - In a transaction.
 */
export async function forgetTotals(db: Database, network: string): Promise<void> {
  for (const table of [predictionTotals, predictionHourlyPnl, predictionCounted, predictionDecided]) {
    await db.delete(table).where(eq(table.network, network));
  }
}

/** An event with what it adds to the figures of its owner. */
interface CountedFigures {
  readonly event: PredictionHistoryEvent;
  readonly figures: TradeFigures;
}

/** Counts events. One that decides a prediction a second time, because its contracts are paid out in parts, decides nothing. */
async function countEvents(
  db: Database,
  network: string,
  events: readonly PredictionHistoryEvent[],
): Promise<readonly CountedFigures[]> {
  const counted = events.map((event) => ({ event, figures: countEvent(event) }));
  const deciding = counted.filter(({ figures: { correct, wrong } }) => correct + wrong > 0);
  if (deciding.length === 0) return counted;
  const { owner, marketIdHash, isYes } = predictionDecided;
  const added = await db
    .insert(predictionDecided)
    .values(
      deciding.map(({ event }) => ({
        network,
        owner: event.owner,
        marketIdHash: event.marketIdHash,
        isYes: event.isYes ? 1 : 0,
        at: event.timestamp,
      })),
    )
    .onConflictDoNothing()
    .returning({ owner, marketIdHash, isYes });
  const undecided = new Set(added.map((row) => toDecidedKey({ ...row, isYes: row.isYes === 1 })));
  return counted.map(({ event, figures }) => {
    const isDecided = figures.correct + figures.wrong > 0 && !undecided.delete(toDecidedKey(event));
    return { event, figures: isDecided ? { ...figures, correct: 0, wrong: 0 } : figures };
  });
}

function toDecidedKey({
  owner,
  marketIdHash,
  isYes,
}: Pick<PredictionHistoryEvent, 'owner' | 'marketIdHash' | 'isYes'>): string {
  return `${owner} ${marketIdHash} ${isYes}`;
}

type RowPlace = Pick<TotalRow, 'owner' | 'period' | 'start'>;

async function addPeriods(db: Database, network: string, counted: readonly CountedFigures[]): Promise<void> {
  const added = new Map<string, { readonly place: RowPlace; figures: TradeFigures }>();
  for (const { event, figures } of counted) {
    if (isNothing(figures)) continue;
    for (const owner of [event.owner, EVERYBODY]) {
      for (const period of TRADING_PERIODS) {
        const place = { owner, period, start: findPeriodStart(period, event.timestamp) };
        const known = added.get(toKey(place));
        if (known === undefined) added.set(toKey(place), { place, figures });
        else known.figures = addFigures(known.figures, figures);
      }
    }
  }
  for (const some of splitRows([...added.values()])) {
    const known = await readTotals(
      db,
      network,
      some.map(({ place }) => place),
    );
    const rows = some.map(({ place, figures }) => {
      const sum = addFigures(known.get(toKey(place)) ?? NO_FIGURES, figures);
      return { network, ...place, ...toTotalColumns(sum) };
    });
    await writeTotals(db, rows);
  }
}

async function readTotals(
  db: Database,
  network: string,
  places: readonly RowPlace[],
): Promise<ReadonlyMap<string, TradeFigures>> {
  const { owner, start } = predictionTotals;
  const rows = await db
    .select()
    .from(predictionTotals)
    .where(
      and(
        eq(predictionTotals.network, network),
        inArray(owner, [...new Set(places.map((place) => place.owner))]),
        inArray(start, [...new Set(places.map((place) => place.start))]),
      ),
    );
  return new Map(rows.map((row) => [toKey(row), readFigures(row)]));
}

async function writeTotals(db: Database, rows: readonly TotalRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { network, owner, period, start } = predictionTotals;
  await db
    .insert(predictionTotals)
    .values([...rows])
    .onConflictDoUpdate({
      target: [network, owner, period, start],
      set: {
        volume: sql`excluded.volume`,
        realizedPnl: sql`excluded.realized_pnl`,
        correct: sql`excluded.correct`,
        wrong: sql`excluded.wrong`,
        volumeRank: sql`excluded.volume_rank`,
        pnlRank: sql`excluded.pnl_rank`,
        winRateRank: sql`excluded.win_rate_rank`,
      },
    });
}

async function addHours(db: Database, network: string, counted: readonly CountedFigures[]): Promise<void> {
  const added = new Map<string, { readonly place: HourPlace; sum: bigint }>();
  for (const { event, figures } of counted) {
    const { realizedPnl } = figures;
    if (realizedPnl === 0n) continue;
    const place = { owner: event.owner, hour: toHour(event.timestamp) };
    const known = added.get(toHourKey(place));
    if (known === undefined) added.set(toHourKey(place), { place, sum: realizedPnl });
    else known.sum += realizedPnl;
  }
  const places = [...added.values()];
  if (places.length === 0) return;
  const { owner, hour } = predictionHourlyPnl;
  const before = await db
    .select()
    .from(predictionHourlyPnl)
    .where(
      and(
        eq(predictionHourlyPnl.network, network),
        inArray(owner, [...new Set(places.map(({ place }) => place.owner))]),
        inArray(hour, [...new Set(places.map(({ place }) => place.hour))]),
      ),
    );
  const known = new Map(before.map((row) => [toHourKey(row), BigInt(row.amount)]));
  const rows = places.map(({ place, sum }) => {
    const amount = String((known.get(toHourKey(place)) ?? 0n) + sum);
    return { network, owner: place.owner, hour: place.hour, amount };
  });
  await db
    .insert(predictionHourlyPnl)
    .values(rows)
    .onConflictDoUpdate({
      target: [predictionHourlyPnl.network, owner, hour],
      set: { amount: sql`excluded.amount` },
    });
}

/** Reads the figures of a row. */
export function readFigures({
  volume,
  realizedPnl,
  correct,
  wrong,
}: Pick<TotalRow, 'volume' | 'realizedPnl' | 'correct' | 'wrong'>): TradeFigures {
  return { volume: BigInt(volume), realizedPnl: BigInt(realizedPnl), correct, wrong };
}

function toTotalColumns(figures: TradeFigures): Omit<TotalRow, 'network' | keyof RowPlace> {
  const { volume, realizedPnl, correct, wrong } = figures;
  return {
    volume: String(volume),
    realizedPnl: String(realizedPnl),
    correct,
    wrong,
    volumeRank: toRank(volume),
    pnlRank: toRank(realizedPnl),
    winRateRank: correct + wrong < LEAST_DECIDED ? NO_RANK : computeWinRate(figures),
  };
}

/** Amounts beyond 9 billion dollars are ranked as if they were as much. */
function toRank(amount: bigint): number {
  if (amount > MAX_RANK) return Number.MAX_SAFE_INTEGER;
  return amount < -MAX_RANK ? -Number.MAX_SAFE_INTEGER : Number(amount);
}

function isNothing({ volume, realizedPnl, correct, wrong }: TradeFigures): boolean {
  return volume === 0n && realizedPnl === 0n && correct === 0 && wrong === 0;
}

function toKey({ owner, period, start }: RowPlace): string {
  return `${owner} ${period} ${start}`;
}

function toHourKey({ owner, hour }: HourPlace): string {
  return `${owner} ${hour}`;
}
