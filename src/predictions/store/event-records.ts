import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { Database, Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import type {
  PredictionEvent,
  PredictionMarket,
  PredictionMarketStatus,
  PredictionResult,
  PredictionScore,
} from '../prediction.ts';
import { predictionEvents, predictionMarkets, predictionRevisions } from './event-tables.ts';
import { readScores, writeScore } from './score-rows.ts';

/** What becomes of a market: its result is known, or its stakes are refunded. */
export type MarketDecision = PredictionResult | 'cancelled';

/** What is decided of markets of one event. */
export interface MarketDecisions {
  readonly marketIds: readonly string[];
  readonly decision: MarketDecision;
  /** Unix second. */
  readonly at: number;
}

/** Events that changed after a revision. */
export interface ChangedEvents {
  readonly events: readonly PredictionEvent[];
  /** The revision as of which they are. */
  readonly revision: number;
}

/** An event before and after a change. */
export interface ChangedEvent {
  readonly before: PredictionEvent;
  readonly after: PredictionEvent;
}

/** The event or the market whose id an event would take a second time. */
export type TakenId = Pick<PredictionEvent, 'eventId'> | Pick<PredictionMarket, 'marketId'>;

/** The events of one network. Several instances may write them at the same time. */
export class EventRecords {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Reads the events that were added or changed after a revision, in the order of their creation. */
  async listChanged(after: number): Promise<ChangedEvents> {
    const { db } = this.#store;
    // Every event of this revision is written, because the revision is counted in the transaction that writes.
    const [row] = await db
      .select()
      .from(predictionRevisions)
      .where(eq(predictionRevisions.network, this.#network));
    const revision = row?.revision ?? 0;
    if (revision <= after) return { events: [], revision: after };
    const rows = await db
      .select()
      .from(predictionEvents)
      .where(and(eq(predictionEvents.network, this.#network), gt(predictionEvents.revision, after)))
      .orderBy(asc(predictionEvents.createdAt), asc(predictionEvents.eventId));
    return { events: await this.#addParts(db, rows), revision };
  }

  /**
   * Adds an event with its markets, unless an id is taken.
   *
   * @param db - In a transaction.
   * @returns What is taken; null if the event was added.
   */
  async insert(db: Database, event: PredictionEvent): Promise<TakenId | null> {
    const revision = await this.#countRevision(db);
    const taken = await this.#findTaken(db, event);
    if (taken !== null) return taken;
    const { markets, tags, score: _score, ...facts } = event;
    await db
      .insert(predictionEvents)
      .values({ ...facts, network: this.#network, tags: JSON.stringify(tags), revision });
    for (const some of splitRows(markets.map((market, number) => ({ market, number })))) {
      await db.insert(predictionMarkets).values(
        some.map(({ market: { house, ...market }, number }) => ({
          ...market,
          network: this.#network,
          number,
          startCents: house.startCents,
          levelContracts: String(house.levelContracts),
        })),
      );
    }
    return null;
  }

  /**
   * Decides those markets of an event that are still open.
   *
   * @param db - In a transaction.
   * @param at - Unix second.
   * @returns The event before and after; null if there is none.
   */
  async decide(
    db: Database,
    eventId: string,
    { marketIds, decision, at }: MarketDecisions,
  ): Promise<ChangedEvent | null> {
    const revision = await this.#countRevision(db);
    const rows = await db
      .update(predictionEvents)
      .set({ revision })
      .where(this.#isEvent(eventId))
      .returning();
    const [before] = await this.#addParts(db, rows);
    const isCancelled = decision === 'cancelled';
    for (const some of splitRows(marketIds)) {
      await db
        .update(predictionMarkets)
        .set({
          status: isCancelled ? 'cancelled' : 'closed',
          result: isCancelled ? null : decision,
          resolvedAt: at,
        })
        .where(
          and(
            eq(predictionMarkets.network, this.#network),
            eq(predictionMarkets.eventId, eventId),
            eq(predictionMarkets.status, 'open'),
            inArray(predictionMarkets.marketId, [...some]),
          ),
        );
    }
    const [after] = await this.#addParts(db, rows);
    return before === undefined || after === undefined ? null : { before, after };
  }

  /**
   * Writes how the game of an event stands. Others who write events wait until the transaction has ended.
   *
   * @param db - In a transaction.
   * @param change - Called with the score before; null if there is none. Returns the score after.
   * @returns The event before and after; null if there is none.
   */
  async postScore(
    db: Database,
    eventId: string,
    change: (before: PredictionScore | null) => Omit<PredictionScore, 'version'>,
  ): Promise<ChangedEvent | null> {
    const revision = await this.#countRevision(db);
    const rows = await db
      .update(predictionEvents)
      .set({ revision })
      .where(this.#isEvent(eventId))
      .returning();
    const [before] = await this.#addParts(db, rows);
    if (before === undefined) return null;
    const score = { ...change(before.score), version: (before.score?.version ?? 0) + 1 };
    await writeScore(db, { network: this.#network, eventId }, score);
    return { before, after: { ...before, score } };
  }

  async #findTaken(db: Database, { eventId, markets }: PredictionEvent): Promise<TakenId | null> {
    const [event] = await db
      .select({ eventId: predictionEvents.eventId })
      .from(predictionEvents)
      .where(this.#isEvent(eventId));
    if (event !== undefined) return event;
    const { network, marketId, marketIdHash } = predictionMarkets;
    for (const some of splitRows(markets)) {
      const isSame = or(
        inArray(
          marketId,
          some.map((market) => market.marketId),
        ),
        inArray(
          marketIdHash,
          some.map((market) => market.marketIdHash),
        ),
      );
      const [market] = await db
        .select({ marketId })
        .from(predictionMarkets)
        .where(and(eq(network, this.#network), isSame));
      if (market !== undefined) return market;
    }
    return null;
  }

  /** Counts a further change. Others who write wait until this transaction has ended, so that revisions come in order. */
  async #countRevision(db: Database): Promise<number> {
    const network = this.#network;
    const [row] = await db
      .insert(predictionRevisions)
      .values({ network, revision: 1 })
      .onConflictDoUpdate({
        target: predictionRevisions.network,
        set: { revision: sql`${predictionRevisions.revision} + 1` },
      })
      .returning({ revision: predictionRevisions.revision });
    if (row === undefined) throw new Error('the change of an event has no revision');
    return row.revision;
  }

  async #addParts(
    db: Database,
    rows: readonly (typeof predictionEvents.$inferSelect)[],
  ): Promise<readonly PredictionEvent[]> {
    const markets = new Map<string, PredictionMarket[]>(rows.map(({ eventId }) => [eventId, []]));
    for (const some of splitRows([...markets.keys()])) {
      const found = await db
        .select()
        .from(predictionMarkets)
        .where(
          and(eq(predictionMarkets.network, this.#network), inArray(predictionMarkets.eventId, [...some])),
        )
        .orderBy(asc(predictionMarkets.eventId), asc(predictionMarkets.number));
      for (const row of found) markets.get(row.eventId)?.push(readMarketRow(row));
    }
    const scores = await readScores(db, this.#network, [...markets.keys()]);
    return rows.map(({ network: _network, revision: _revision, tags, ...facts }) => ({
      ...facts,
      tags: JSON.parse(tags) as readonly string[],
      markets: markets.get(facts.eventId) ?? [],
      score: scores.get(facts.eventId) ?? null,
    }));
  }

  #isEvent(eventId: string) {
    return and(eq(predictionEvents.network, this.#network), eq(predictionEvents.eventId, eventId));
  }
}

function readMarketRow(row: typeof predictionMarkets.$inferSelect): PredictionMarket {
  const { marketId, eventId, marketIdHash, title, rulesPrimary, rulesSecondary, openAt, closeAt } = row;
  return {
    marketId,
    eventId,
    marketIdHash,
    title,
    rulesPrimary,
    rulesSecondary,
    openAt,
    closeAt,
    status: row.status as PredictionMarketStatus,
    result: row.result as PredictionResult | null,
    resolvedAt: row.resolvedAt,
    feeBps: row.feeBps,
    house: { startCents: row.startCents, levelContracts: BigInt(row.levelContracts) },
    forecast: null,
  };
}
