import { and, asc, count, desc, eq, gt, inArray, lte, max, min, or, type SQL } from 'drizzle-orm';
import { RequestRefused } from '../../common/request-refused.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import type { HistorySelection, PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import { ALL_HOURS } from './history-journal.ts';
import { readHistoryRow } from './history-rows.ts';
import type { HourlyVolume } from './history-steps.ts';
import {
  IS_FILL_ROW,
  IS_OF_ORDER_ROW,
  predictionCursors,
  predictionHistory,
  predictionVolumes,
} from './history-tables.ts';

/** The most events of a wallet before a page. Each one before the page takes time to pass over. */
const MAX_EVENTS_BEFORE_PAGE = 10_000;
/** The most events of one order that are read. An order has one for each fill, and three others. */
const MAX_ORDER_EVENTS = 1_000;

/** A page of the history, the newest event first. */
export interface PredictionHistoryPage {
  readonly events: readonly PredictionHistoryEvent[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** What was traded on markets since an earlier reading. */
export interface ChangedVolumes {
  readonly volumes: readonly HourlyVolume[];
  /** How many events are recorded. It falls only if the network has begun again. */
  readonly entries: number;
}

/** The recorded events of one network, as they are listed. */
export class PredictionHistoryRecords {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /**
   * Returns a page.
   *
   * @throws RequestRefused when a page of a wallet or a position begins behind the first 10,000 events.
   */
  async list({ owner, position, id, start, end }: HistorySelection): Promise<PredictionHistoryPage> {
    const { number } = predictionHistory;
    if (owner === null && position === null && id === null) return this.#listAll(start, end);
    if (start > MAX_EVENTS_BEFORE_PAGE) {
      throw new RequestRefused(`only the newest ${MAX_EVENTS_BEFORE_PAGE} events can be paged through`);
    }
    const which = and(
      this.#isHere(),
      owner === null ? undefined : eq(predictionHistory.owner, owner),
      position === null ? undefined : eq(predictionHistory.position, position),
      id === null ? undefined : eq(number, id),
    );
    const { db } = this.#store;
    const [counted] = await db.select({ total: count() }).from(predictionHistory).where(which);
    const total = Number(counted?.total ?? 0);
    if (start >= total || end <= start) return { events: [], total };
    // The page is found in the index alone, so that only its own rows are read, wherever it begins.
    const found = await db
      .select({ number })
      .from(predictionHistory)
      .where(which)
      .orderBy(desc(number))
      .limit(end - start)
      .offset(start);
    const numbers = found.map((row) => row.number);
    return { events: await this.#readNewestFirst(inArray(number, numbers)), total };
  }

  /** Returns the events of an order, the oldest first. */
  async listOfOrder(order: Address): Promise<readonly PredictionHistoryEvent[]> {
    const rows = await this.#store.db
      .select()
      .from(predictionHistory)
      .where(and(this.#isHere(), eq(predictionHistory.order, order), IS_OF_ORDER_ROW))
      .orderBy(asc(predictionHistory.number))
      .limit(MAX_ORDER_EVENTS);
    return rows.map(readHistoryRow);
  }

  /** Returns the last fills of everybody, the newest first. */
  async listFills(limit: number): Promise<readonly PredictionHistoryEvent[]> {
    const rows = await this.#store.db
      .select()
      .from(predictionHistory)
      .where(and(this.#isHere(), IS_FILL_ROW))
      .orderBy(desc(predictionHistory.number))
      .limit(limit);
    return rows.map(readHistoryRow);
  }

  /**
   * Reads the volumes that have changed after an event, and those of all hours that have.
   *
   * @param after - How many events were recorded at the earlier reading.
   * @param since - The first hour to read.
   */
  async listVolumes(after: number, since: number): Promise<ChangedVolumes> {
    const { db } = this.#store;
    const [cursor] = await db
      .select({ entries: predictionCursors.entries })
      .from(predictionCursors)
      .where(eq(predictionCursors.network, this.#network));
    const entries = cursor?.entries ?? 0;
    if (entries === after) return { volumes: [], entries };
    const { network, number, hour } = predictionVolumes;
    const rows = await db
      .select()
      .from(predictionVolumes)
      .where(
        and(
          eq(network, this.#network),
          entries < after ? undefined : gt(number, after),
          or(eq(hour, ALL_HOURS), gt(hour, since - 1)),
        ),
      );
    const volumes = rows.map((row) => ({
      marketIdHash: row.marketIdHash,
      hour: row.hour,
      amount: BigInt(row.amount),
    }));
    return { volumes, entries };
  }

  /** Numbers have no gap, and the oldest events are removed first. So nothing has to be counted or passed over. */
  async #listAll(start: number, end: number): Promise<PredictionHistoryPage> {
    const { number } = predictionHistory;
    const [bounds] = await this.#store.db
      .select({ first: min(number), last: max(number) })
      .from(predictionHistory)
      .where(this.#isHere());
    if (bounds === undefined || bounds.last === null || bounds.first === null)
      return { events: [], total: 0 };
    const total = Number(bounds.last) - Number(bounds.first) + 1;
    const newest = Number(bounds.last) - start;
    if (start >= total || end <= start) return { events: [], total };
    const isOnPage = and(lte(number, newest), gt(number, Number(bounds.last) - end));
    return { events: await this.#readNewestFirst(isOnPage), total };
  }

  async #readNewestFirst(which: SQL | undefined): Promise<readonly PredictionHistoryEvent[]> {
    const rows = await this.#store.db
      .select()
      .from(predictionHistory)
      .where(and(this.#isHere(), which))
      .orderBy(desc(predictionHistory.number));
    return rows.map(readHistoryRow);
  }

  #isHere(): SQL {
    return eq(predictionHistory.network, this.#network);
  }
}
