import { and, asc, desc, eq, gte, inArray, lt, or } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import type { ForecastRoundFacts } from '../events/forecast-event.ts';
import { deriveForecastHash, toForecastMarketId } from '../events/forecast-ids.ts';
import type { ForecastOutcome } from '../forecast.ts';
import { forecastRounds } from './forecast-tables.ts';

/** A round as it is recorded, with the slot of its last change. */
export interface RecordedForecastRound {
  readonly round: ForecastRoundFacts;
  readonly slot: number;
}

/** How a round has ended. */
export interface ForecastRoundResult {
  readonly outcome: ForecastOutcome;
  readonly closePrice: bigint | null;
  /** Unix second. */
  readonly settledAt: number;
}

/** The recorded rounds of one network. */
export class ForecastRoundRecords {
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(network: string) {
    this.#network = network;
  }

  /** Adds a round. One that is there was opened before the network began again, and is replaced. */
  async add(db: Database, round: ForecastRoundFacts, slot: bigint): Promise<void> {
    await db.delete(forecastRounds).where(and(this.#isHere(), eq(forecastRounds.round, round.address)));
    const { address: key, feed, asset, seconds, openAt, closeAt, openPrice, exponent, up, down } = round;
    const hash = (side: 'up' | 'down') => deriveForecastHash(toForecastMarketId(key, side));
    await db.insert(forecastRounds).values({
      network: this.#network,
      round: key,
      feed,
      asset,
      seconds,
      openAt,
      closeAt,
      openPrice: String(openPrice),
      closePrice: round.closePrice === null ? null : String(round.closePrice),
      exponent,
      outcome: round.outcome,
      settledAt: round.settledAt,
      upMint: up.mint,
      downMint: down.mint,
      upPool: up.pool,
      downPool: down.pool,
      upHash: hash('up'),
      downHash: hash('down'),
      slot: Number(slot),
    });
  }

  /** Writes the result of a round. */
  async settle(
    db: Database,
    round: Address,
    { outcome, closePrice, settledAt }: ForecastRoundResult,
    slot: bigint,
  ): Promise<void> {
    await db
      .update(forecastRounds)
      .set({
        outcome,
        closePrice: closePrice === null ? null : String(closePrice),
        settledAt,
        slot: Number(slot),
      })
      .where(and(this.#isHere(), eq(forecastRounds.round, round)));
  }

  /** Returns null for a round that is not recorded. */
  async find(db: Database, round: Address): Promise<ForecastRoundFacts | null> {
    const [row] = await db
      .select()
      .from(forecastRounds)
      .where(and(this.#isHere(), eq(forecastRounds.round, round)));
    return row === undefined ? null : readRoundRow(row).round;
  }

  /** Returns the newest rounds, the newest first. */
  async listNewest(db: Database, limit: number): Promise<readonly RecordedForecastRound[]> {
    const { closeAt, round } = forecastRounds;
    const rows = await db
      .select()
      .from(forecastRounds)
      .where(this.#isHere())
      .orderBy(desc(closeAt), asc(round))
      .limit(limit);
    return rows.map(readRoundRow);
  }

  /** Returns rounds that were changed in a slot or after it, in the order of their changes. */
  async listChanged(db: Database, from: number, limit: number): Promise<readonly RecordedForecastRound[]> {
    const rows = await db
      .select()
      .from(forecastRounds)
      .where(and(this.#isHere(), gte(forecastRounds.slot, from)))
      .orderBy(asc(forecastRounds.slot), asc(forecastRounds.round))
      .limit(limit);
    return rows.map(readRoundRow);
  }

  /** Returns the rounds to which markets belong, by the hashes of these. */
  async listByHashes(db: Database, hashes: readonly string[]): Promise<readonly ForecastRoundFacts[]> {
    const found: ForecastRoundFacts[] = [];
    for (const some of splitRows(hashes)) {
      const { upHash, downHash } = forecastRounds;
      const rows = await db
        .select()
        .from(forecastRounds)
        .where(and(this.#isHere(), or(inArray(upHash, some), inArray(downHash, some))));
      found.push(...rows.map((row) => readRoundRow(row).round));
    }
    return found;
  }

  /** Removes the oldest rounds that closed before a Unix second. Returns those that were removed. */
  async removeOldest(
    db: Database,
    before: number,
    limit: number,
  ): Promise<readonly Pick<typeof forecastRounds.$inferSelect, 'round' | 'upHash' | 'downHash'>[]> {
    const { round, upHash, downHash, closeAt } = forecastRounds;
    const old = await db
      .select({ round, upHash, downHash })
      .from(forecastRounds)
      .where(and(this.#isHere(), lt(closeAt, before)))
      .orderBy(asc(closeAt))
      .limit(limit);
    if (old.length === 0) return [];
    const rounds = old.map((each) => each.round);
    await db.delete(forecastRounds).where(and(this.#isHere(), inArray(round, rounds)));
    return old;
  }

  /** Removes all rounds, because the network began again. */
  async clear(db: Database): Promise<void> {
    await db.delete(forecastRounds).where(this.#isHere());
  }

  #isHere() {
    return eq(forecastRounds.network, this.#network);
  }
}

function readRoundRow(row: typeof forecastRounds.$inferSelect): RecordedForecastRound {
  const { asset, seconds, openAt, closeAt, exponent, settledAt, slot } = row;
  return {
    slot,
    round: {
      address: row.round as Address,
      feed: row.feed as Address,
      asset,
      seconds,
      openAt,
      closeAt,
      openPrice: BigInt(row.openPrice),
      exponent,
      closePrice: row.closePrice === null ? null : BigInt(row.closePrice),
      outcome: row.outcome as ForecastOutcome | null,
      settledAt,
      up: { mint: row.upMint as Address, pool: row.upPool as Address },
      down: { mint: row.downMint as Address, pool: row.downPool as Address },
    },
  };
}
