import { type Timers, repeatWithPauses } from '../../common/ports/timers.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { RowWriter } from '../../store/log/row-writer.ts';
import type { LandingReport, OpenLanding } from './landing-report.ts';
import {
  NO_ORGANISATION,
  REPORT_COLUMNS,
  parseReportRow,
  type ReportRow,
  toReportRow,
  writeRows,
} from './report-rows.ts';

export interface LandingReportsOptions {
  readonly database: Pick<LogDatabase, 'kind' | 'query' | 'write'>;
  /** The genesis hash of the network, because signatures of one network say nothing about another. */
  readonly network: string;
  readonly timers: Timers;
  /** Called when reports could not be written. They are written later. */
  readonly onDefect: (error: unknown) => void;
}

const FLUSH_MS = 200;
const ROWS_AT_ONCE = 1_000;
/** The most reports that wait to be written. If there are more, the oldest of them are lost. */
const MAX_WAITING = 20_000;
/** As many landings as can be in flight. */
const MAX_RESUMED = 10_000;
/**
 * Landings are given up before this age, so an older report without an outcome belongs to a process that ended before
 * its landing did.
 */
const GIVEN_UP_MS = 600_000;
const KEPT_MS = 7 * 86_400_000;
const PRUNE_MS = 600_000;
/** The most reports of one organisation, and of all callers without a key together. */
const MAX_KEPT_EACH = 100_000;
/** The value that stands for all owners. No id has this form. */
const EVERYONE = '*';

/**
 * Keeps reports about landings in the database of the request log. They are written in the background, so if an
 * instance is killed, reports about transactions that it accepted within the last fifth of a second may be lost.
 * Instances that land the same transaction share its reports.
 *
 * @example
 * ```ts
 * import type { LandingReports } from './landing-reports.ts';
 *
 * async function hasLanded(reports: LandingReports, signature: string): Promise<boolean> {
 *   const found = await reports.find(signature);
 *   return found.some(({ outcome }) => outcome === 'confirmed' || outcome === 'failed');
 * }
 * ```
 */
export class LandingReports {
  readonly #options: LandingReportsOptions;
  /** By signature and owner. */
  readonly #rows: RowWriter<ReportRow>;
  readonly #stopPruning: () => void;

  constructor(options: LandingReportsOptions) {
    this.#options = options;
    const { database, timers, onDefect } = options;
    this.#rows = new RowWriter({
      database,
      timers,
      flushMs: FLUSH_MS,
      maxWaiting: MAX_WAITING,
      rowsAtOnce: ROWS_AT_ONCE,
      toStatements: (rows) => [writeRows(database.kind, rows)],
      onDefect,
    });
    this.#stopPruning = repeatWithPauses(PRUNE_MS, () => this.prune(), timers, onDefect);
  }

  /** The number of reports that were lost because too many waited. */
  get lost(): number {
    return this.#rows.lost;
  }

  /**
   * Updates the report about a submitted transaction.
   * @param open - Null once the outcome is known.
   */
  note(report: LandingReport, open: OpenLanding | null): void {
    const key = `${report.signature}:${report.organisationId ?? NO_ORGANISATION}`;
    this.#rows.put(key, toReportRow(this.#options.network, report, open));
  }

  /**
   * Finds the reports about a transaction, in the order of acceptance.
   * @param name - The transaction's signature, or the id of a request that submitted it.
   * @param owner - Selects the report of one organisation; null selects that of callers without a key; by default, all are
   *   returned.
   * @throws Unavailable if the database does not answer
   */
  async find(name: string, owner?: string | null): Promise<LandingReport[]> {
    await this.#rows.flush();
    const rows = await this.#select(
      `(signature = $2 or request_id = $2) and (owner = $3 or $3 = '${EVERYONE}') order by accepted_at, owner`,
      [name, owner === undefined ? EVERYONE : (owner ?? NO_ORGANISATION)],
    );
    const givenUp = this.#options.timers.now() - GIVEN_UP_MS;
    return rows.map(({ report }) =>
      report.outcome === null && report.acceptedAt < givenUp ? { ...report, outcome: 'unknown' } : report,
    );
  }

  /** Returns landings that had not ended when they were last written, the newest first. */
  async unfinished(): Promise<{ readonly report: LandingReport; readonly open: OpenLanding }[]> {
    const since = this.#options.timers.now() - GIVEN_UP_MS;
    const rows = await this.#select(
      `outcome is null and accepted_at >= $2 order by accepted_at desc limit ${MAX_RESUMED}`,
      [since],
    );
    return rows.flatMap(({ report, open }) => (open === null ? [] : [{ report, open }]));
  }

  /** Deletes reports that are older than a week, and the oldest reports of organisations that have too many. */
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

  /** Writes the waiting reports, and stops. */
  async close(): Promise<void> {
    this.#stopPruning();
    await this.#rows.close();
  }

  /** @param condition - The condition of the rows of this network, from `$2` on. */
  async #select(condition: string, parameters: readonly (string | number)[]) {
    const { database, network } = this.#options;
    const text = `select ${REPORT_COLUMNS} from landing_reports where network = $1 and ${condition}`;
    return (await database.query(text, [network, ...parameters])).map(parseReportRow);
  }
}
