import { SharesOfSecond } from '../../../common/collections/fair-shares.ts';
import { randomUUID } from 'node:crypto';
import type { Counter, Metrics } from '../../../common/ports/metrics.ts';
import { type LogDatabase, ConstraintViolated, type Statement } from '../../../store/log/log-database.ts';
import { TrafficCounts } from './counts.ts';
import {
  addCounts,
  createDay,
  DAY_MS,
  parseDayTable,
  deleteCounts,
  dropDay,
  HOUR_MS,
  createDayIndexes,
  insertRows,
  listDays,
  MINUTES_KEPT_MS,
} from './log-tables.ts';
import type { RequestEntry } from './request-entry.ts';
import { LiveLog } from './live-log.ts';
import { type LogRow, RowQueue, type Rows } from './row-queue.ts';

export interface TrafficLogOptions {
  readonly database: LogDatabase;
  /** How many days the log and its counts are kept. */
  readonly days: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  readonly metrics: Metrics;
  /**
   * Called once when the database cannot be written, and not again before it can; what is waiting is written later.
   * Also called for each batch that the database refuses for good; its rows are dropped.
   */
  readonly onDefect: (error: unknown) => void;
  /** Called when the database has taken rows again after it had refused some. By default nothing is called. */
  readonly onAnswer?: () => void;
}

/** Rows of the log and the counts that go with them, under an id that the database stores with them. */
interface LogBatch {
  readonly id: string;
  readonly at: number;
  readonly counts: readonly Statement[];
  /** Null when only counts are written. */
  readonly rows: Rows | null;
}

/** What a killed process can lose at most. */
const WRITE_EVERY_MS = 1_000;
const TIDY_EVERY_MS = HOUR_MS;
const ROWS_IN_BATCH = 2_000;
const MAX_ROWS_WAITING = 20_000;
const BATCHES_REMEMBERED_MS = DAY_MS;
/**
 * Anybody can send requests that are refused, as fast as the network allows, and must not be able to fill the disk. Of those
 * of a second, one organisation has half at most, and so have all callers without a known key together: their floods must not
 * hide from an organisation why its own requests are refused.
 */
const MAX_REFUSED_IN_A_SECOND = 200;
const REFUSED_FACTOR = 1;

/**
 * Owns the requests that are answered and not yet written. `record` never waits: when the queue is full, the row is
 * dropped and counted as dropped, but its credits are counted.
 */
export class TrafficLog {
  readonly database: LogDatabase;
  /** Followers of the log see each request, also those whose rows are dropped. */
  readonly live = new LiveLog();
  readonly #options: TrafficLogOptions;
  readonly #counts = new TrafficCounts();
  readonly #knownDays = new Set<number>();
  readonly #stops: readonly (() => void)[];
  readonly #written: Counter;
  readonly #lost: Counter;
  readonly #waiting = new RowQueue(ROWS_IN_BATCH);
  /** Taken from the queue, and not known to be written. */
  #unsure: LogBatch | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  /** Whether the last attempt to write failed and was reported. */
  #isFailing = false;
  #dropped = 0;
  readonly #refused = new SharesOfSecond(MAX_REFUSED_IN_A_SECOND, REFUSED_FACTOR);

  private constructor(options: TrafficLogOptions) {
    this.#options = options;
    this.database = options.database;
    const { metrics } = options;
    this.#written = metrics.counter('sluice_request_log_rows_total', 'Rows written to the request log.');
    this.#lost = metrics.counter(
      'sluice_request_log_lost_total',
      'What found no room in memory: rows of the request log, and requests that usage and analytics miss.',
      ['what'],
    );
    // An alert sees an increase only of what was there before it.
    for (const what of ['row', 'usage']) this.#lost.add({ what }, 0);
    metrics.gauge('sluice_request_log_waiting_rows', 'Rows that wait to be written.', () => this.waiting);
    metrics.queue({
      name: 'request log',
      meaning:
        'Rows of the request log that wait for its database. What finds no room is lost; usage and credits are counted apart.',
      read: () => ({ waiting: this.waiting, limit: MAX_ROWS_WAITING, lost: this.#dropped }),
    });
    metrics.streams({
      name: 'followers of the request log',
      meaning: 'Pages and commands that follow the log live. Further ones are refused with 503.',
      read: () => this.live.places,
    });
    this.#stops = [
      options.every(WRITE_EVERY_MS, () => {
        if (!this.#isWriting) void this.flush();
      }),
      options.every(TIDY_EVERY_MS, () => this.#tell(this.tidy())),
    ];
  }

  /** Opens the log over a database with its tables. Creates the tables of today, and drops those of expired days. */
  static async open(options: TrafficLogOptions): Promise<TrafficLog> {
    const log = new TrafficLog(options);
    await log.tidy();
    return log;
  }

  /**
   * How many rows this process dropped because the queue was full, or because there were too many of refused
   * requests.
   */
  get dropped(): number {
    return this.#dropped;
  }

  get waiting(): number {
    return this.#waiting.size + (this.#unsure?.rows?.count ?? 0);
  }

  /**
   * Unix milliseconds from which on requests are counted by the minute. Older requests are counted by the hour only.
   */
  get minutesSince(): number {
    return this.#options.now() - MINUTES_KEPT_MS;
  }

  record(entry: RequestEntry): void {
    this.live.publish(entry);
    if (!this.#counts.add(entry)) this.#lost.add({ what: 'usage' });
    if (this.waiting >= MAX_ROWS_WAITING || this.#isTooMuch(entry)) {
      this.#dropped++;
      this.#lost.add({ what: 'row' });
      return;
    }
    const day = Math.floor(entry.at / DAY_MS);
    this.#waiting.add(day, toLogRow(entry, day));
    if (this.#waiting.size >= ROWS_IN_BATCH && !this.#isWriting) void this.flush();
  }

  #isTooMuch({ decision, at, owner }: RequestEntry): boolean {
    if (decision === 'admitted') return false;
    return !this.#refused.take({ kind: 'organisation', id: owner?.organisationId ?? '' }, at);
  }

  /** Resolves when everything recorded before is written, or an attempt to write it has failed. */
  flush(): Promise<void> {
    this.#isWriting = true;
    const next = this.#writing.then(() => this.#writeAll());
    this.#writing = next;
    return next;
  }

  /**
   * Creates the tables of today and tomorrow, and drops what is older than its retention: by the database's clock, because
   * an instance whose clock is ahead would drop what all others still keep.
   */
  async tidy(): Promise<void> {
    const { database, days } = this.#options;
    const now = await database.now();
    const today = Math.floor(now / DAY_MS);
    await this.#makeDays([today, today + 1]);
    const oldest = today - days;
    for (const day of await this.days()) {
      if (day < oldest) await database.write(dropDay(database.kind, day));
      else if (day < today && database.kind === 'sqlite') await database.write(createDayIndexes(day));
    }
    await database.write([
      ...deleteCounts('hour', oldest * DAY_MS),
      ...deleteCounts('minute', now - MINUTES_KEPT_MS),
      { text: 'delete from log_batches where at < $1', parameters: [now - BATCHES_REMEMBERED_MS] },
    ]);
  }

  /** Returns the days that have a table, as days since 1970, the newest first. */
  async days(): Promise<readonly number[]> {
    const tables = await this.database.query(listDays(this.database.kind), []);
    return tables.flatMap(([name]) => parseDayTable(String(name)) ?? []).sort((one, other) => other - one);
  }

  /** Writes what is waiting. The database stays open. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.live.close();
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    try {
      // Requests recorded in the meantime wait until they fill a batch, because a small batch costs almost as much as
      // a full one.
      let recorded = this.waiting;
      do {
        const isRetry = this.#unsure !== null;
        this.#unsure ??= this.#takeBatch();
        if (this.#unsure === null) break;
        const { rows } = this.#unsure;
        const isTaken = await this.#write(this.#unsure, isRetry);
        this.#unsure = isTaken ? null : this.#withoutWhatWasRefused(this.#unsure);
        if (rows === null) continue;
        if (isTaken) this.#written.add({}, rows.count);
        this.#waiting.release(rows);
        recorded -= rows.count;
      } while (this.#unsure !== null || recorded > 0 || this.#waiting.size >= ROWS_IN_BATCH);
      if (this.#isFailing) this.#options.onAnswer?.();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.onDefect(error);
      this.#isFailing = true;
    } finally {
      this.#isWriting = false;
    }
  }

  /**
   * Writes a batch. A write that failed may have been committed, when the connection was lost just after the commit.
   * Whether the database has the batch; false when it will never take it.
   */
  async #write(batch: LogBatch, isRetry: boolean): Promise<boolean> {
    if (isRetry) {
      const known = await this.database.query('select id from log_batches where id = $1', [batch.id]);
      if (known.length > 0) return true;
    }
    if (batch.rows !== null) await this.#makeDays([batch.rows.day]);
    try {
      await this.database.write(createBatchStatements(this.database.kind, batch));
      return true;
    } catch (error) {
      if (!(error instanceof ConstraintViolated)) throw error;
      this.#options.onDefect(error);
      return false;
    }
  }

  /**
   * Drops the rows of a batch that the tables refuse, because it would block all batches after it, and keeps its
   * counts.
   */
  #withoutWhatWasRefused({ rows, ...batch }: LogBatch): LogBatch | null {
    if (rows === null) {
      this.#lost.add({ what: 'usage' });
      return null;
    }
    this.#dropped += rows.count;
    this.#lost.add({ what: 'row' }, rows.count);
    return { ...batch, rows: null };
  }

  #takeBatch(): LogBatch | null {
    const { kind } = this.database;
    const rows = this.#waiting.take();
    if (rows === null && this.#counts.isEmpty) return null;
    const counts = this.#counts.take().map(([table, json]) => addCounts(kind, table, json));
    return { id: randomUUID(), at: this.#options.now(), rows, counts };
  }

  async #makeDays(days: readonly number[]): Promise<void> {
    for (const day of days) {
      if (this.#knownDays.has(day)) continue;
      await this.database.write(createDay(this.database.kind, day));
      this.#knownDays.add(day);
    }
  }

  #tell(work: Promise<void>): void {
    work.catch(this.#options.onDefect);
  }
}

function createBatchStatements(
  kind: LogDatabase['kind'],
  { id, at, rows, counts }: LogBatch,
): readonly Statement[] {
  return [
    { text: 'insert into log_batches (id, at) values ($1, $2)', parameters: [id, at] },
    ...(rows === null ? [] : [insertRows(kind, rows)]),
    ...counts,
  ];
}

/** Returns the cells in the order of `LOG_COLUMNS`. */
function toLogRow(entry: RequestEntry, day: number): LogRow {
  const { owner, firewall, order } = entry;
  return [
    day,
    entry.at,
    entry.requestId,
    owner?.organisationId ?? '',
    owner?.teamId ?? '',
    owner?.keyId ?? '',
    entry.method,
    entry.path,
    entry.endpoint,
    entry.status,
    entry.decision,
    firewall?.outcome ?? '',
    firewall?.rule ?? '',
    firewall === null ? '[]' : JSON.stringify(firewall.matched),
    entry.credits,
    entry.gatewayUs,
    entry.handlerUs,
    entry.sendUs,
    entry.client,
    entry.country ?? '',
    entry.asn ?? 0,
    entry.host,
    entry.referrer,
    entry.userAgent,
    entry.query,
    entry.bytesReceived,
    entry.bytesSent,
    order?.requestId ?? '',
    order?.router ?? '',
    order?.code == null ? '' : String(order.code),
    order?.signature ?? '',
  ];
}
