import type { Timers } from '../../common/ports/timers.ts';
import { type LogDatabase, ConstraintViolated } from '../../store/log/log-database.ts';
import type { LandingReport, OpenLanding } from './landing-report.ts';
import { KEYLESS, REPORT_COLUMNS, reportOfRow, type Row, rowOf, writeRows } from './report-rows.ts';

export interface LandingReportsOptions {
  readonly database: Pick<LogDatabase, 'kind' | 'query' | 'write'>;
  /** Genesis hash: signatures of one network say nothing about another. */
  readonly network: string;
  readonly timers: Timers;
  /** Called when reports could not be written. They are written later. */
  readonly onDefect: (error: unknown) => void;
}

const FLUSH_MS = 200;
/** After a failure, the database is left alone for a while. */
const RETRY_MS = 2_000;
const ROWS_AT_ONCE = 1_000;
/** Reports that wait to be written. Beyond that, those that have waited longest are lost. */
const MAX_WAITING = 20_000;
/** As many as can be under way. */
const MAX_RESUMED = 10_000;
/** Transactions are given up before this age, so a report without an outcome is of a process that did not live to see it. */
const GIVEN_UP_MS = 600_000;
const KEPT_MS = 7 * 86_400_000;
const PRUNE_MS = 600_000;
/** Reports of one organisation, and of all callers without a key together. */
const MAX_KEPT_EACH = 100_000;
/** Stands for all owners, which no id can be. */
const EVERYONE = '*';

/**
 * Keeps reports about landings in the database of the request log. They are written behind the requests: what an instance has accepted in
 * the last fifth of a second may be lost when it is killed. Instances that land the same transaction share its reports.
 */
export class LandingReports {
  readonly #options: LandingReportsOptions;
  /** By signature and owner, those that have waited longest first. */
  #waiting = new Map<string, Row>();
  #cancel: (() => void) | null = null;
  #cancelPrune: () => void = () => {};
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #lost = 0;

  constructor(options: LandingReportsOptions) {
    this.#options = options;
    this.#pruneLater();
  }

  /** How many reports could not be kept, because too many waited. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Notes how a submitted transaction stands.
   * @param open null once it has ended
   */
  note(report: LandingReport, open: OpenLanding | null): void {
    const key = `${report.signature}:${report.organisationId ?? KEYLESS}`;
    this.#waiting.set(key, rowOf(this.#options.network, report, open));
    if (this.#waiting.size > MAX_WAITING) this.#dropOldest();
    this.#schedule(FLUSH_MS);
  }

  /**
   * Finds the reports about a transaction, those accepted first before the others.
   * @param name its signature, or the id of a request that submitted it
   * @param owner only the report of this organisation; null: only that of callers without a key; absent: all
   * @throws Unavailable if the database does not answer
   */
  async find(name: string, owner?: string | null): Promise<LandingReport[]> {
    await this.#flush();
    const rows = await this.#select(
      `(signature = $2 or request_id = $2) and (owner = $3 or $3 = '${EVERYONE}') order by accepted_at, owner`,
      [name, owner === undefined ? EVERYONE : (owner ?? KEYLESS)],
    );
    const givenUp = this.#options.timers.now() - GIVEN_UP_MS;
    return rows.map(({ report }) =>
      report.outcome === null && report.acceptedAt < givenUp ? { ...report, outcome: 'unknown' } : report,
    );
  }

  /** @returns landings that had not ended when they were last written, the newest first */
  async unfinished(): Promise<{ readonly report: LandingReport; readonly open: OpenLanding }[]> {
    const since = this.#options.timers.now() - GIVEN_UP_MS;
    const rows = await this.#select(
      `outcome is null and accepted_at >= $2 order by accepted_at desc limit ${MAX_RESUMED}`,
      [since],
    );
    return rows.flatMap(({ report, open }) => (open === null ? [] : [{ report, open }]));
  }

  /** Removes reports that are a week old, and the oldest ones of organisations that have too many. */
  async prune(maxKept = MAX_KEPT_EACH): Promise<void> {
    const { database, network, timers } = this.#options;
    const week = { text: 'delete from landing_reports where network = $1 and accepted_at < $2' };
    await database.write([{ ...week, parameters: [network, timers.now() - KEPT_MS] }]);
    const crowded = await database.query(
      'select owner from landing_reports where network = $1 group by owner having count(*) > $2',
      [network, maxKept],
    );
    for (const [owner] of crowded) {
      const ofOwner = 'from landing_reports where network = $1 and owner = $2';
      const [last] = await database.query(
        `select accepted_at ${ofOwner} order by accepted_at desc limit 1 offset $3`,
        [network, String(owner), maxKept],
      );
      if (last === undefined) continue;
      const parameters = [network, String(owner), Number(last[0])];
      await database.write([{ text: `delete ${ofOwner} and accepted_at <= $3`, parameters }]);
    }
  }

  /** Writes what waits, and ends. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    this.#cancelPrune();
    await this.#flush();
  }

  /** @param condition of the rows of this network, from `$2` on */
  async #select(condition: string, parameters: readonly (string | number)[]) {
    const { database, network } = this.#options;
    const text = `select ${REPORT_COLUMNS} from landing_reports where network = $1 and ${condition}`;
    return (await database.query(text, [network, ...parameters])).map(reportOfRow);
  }

  #pruneLater(): void {
    const { timers, onDefect } = this.#options;
    this.#cancelPrune = timers.after(PRUNE_MS, () => {
      this.prune()
        .catch(onDefect)
        .finally(() => {
          if (!this.#isClosed) this.#pruneLater();
        });
    });
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#waiting.delete(oldest);
    this.#lost++;
  }

  /** Resolves when what waits now is written, or could not be. */
  #flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #schedule(delay: number): void {
    if (this.#cancel !== null || this.#isClosed) return;
    this.#cancel = this.#options.timers.after(delay, () => {
      this.#cancel = null;
      void this.#flush();
    });
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, ROWS_AT_ONCE);
      for (const [key] of batch) this.#waiting.delete(key);
      try {
        await this.#writeRows(batch.map(([, row]) => row));
      } catch (error) {
        this.#waitAgain(batch);
        this.#options.onDefect(error);
        this.#schedule(RETRY_MS);
        return;
      }
    }
  }

  /** Puts rows that were not written before all others, which were noted later. */
  #waitAgain(batch: readonly (readonly [string, Row])[]): void {
    const noted = this.#waiting;
    this.#waiting = new Map([...batch.filter(([key]) => !noted.has(key)), ...noted]);
    while (this.#waiting.size > MAX_WAITING) this.#dropOldest();
  }

  /** A row that the tables will never take is lost, and keeps none of the others from being written. */
  async #writeRows(rows: readonly Row[]): Promise<void> {
    const { database, onDefect } = this.#options;
    try {
      await database.write([writeRows(database.kind, rows)]);
    } catch (error) {
      if (!(error instanceof ConstraintViolated)) throw error;
      if (rows.length === 1) {
        this.#lost++;
        onDefect(error);
        return;
      }
      const half = Math.ceil(rows.length / 2);
      await this.#writeRows(rows.slice(0, half));
      await this.#writeRows(rows.slice(half));
    }
  }
}
