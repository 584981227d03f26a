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

/** Which reports to list. Absent fields select everything. */
export interface LandingListQuery {
  /** Unix milliseconds, `since` included and `until` excluded. */
  readonly since: number;
  readonly until: number;
  /** The last report of the page before; null for the first page. */
  readonly after: { readonly at: number; readonly signature: string; readonly owner: string } | null;
  readonly limit: number;
  readonly outcome?: ShownOutcome;
  /** The id of an organisation; null: callers without a key. */
  readonly owner?: string | null;
}

/** Of a landing that has not ended. */
export const UNDER_WAY = 'under-way';

/** The outcomes by which landings are listed. */
export type ShownOutcome = 'confirmed' | 'failed' | 'expired' | 'rejected' | 'unknown' | typeof UNDER_WAY;

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

  /** How many reports wait to be written, and how many may. */
  get places(): { readonly waiting: number; readonly limit: number } {
    return { waiting: this.#rows.waiting, limit: MAX_WAITING };
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
    return rows.map(({ report }) => nameGivenUp(report, givenUp));
  }

  /** Lists reports by the time of acceptance, the newest first. What this process has noted is written first. */
  async list({ since, until, after, limit, outcome, owner }: LandingListQuery): Promise<LandingReport[]> {
    await this.#rows.flush();
    const givenUp = this.#options.timers.now() - GIVEN_UP_MS;
    const parameters: (string | number)[] = [];
    const use = (value: string | number) => `$${parameters.push(value) + 1}`;
    const conditions = [`accepted_at >= ${use(since)}`, `accepted_at < ${use(until)}`];
    if (after !== null) {
      const [at, signature, from] = [use(after.at), use(after.signature), use(after.owner)];
      conditions.push(`(accepted_at, signature, owner) < (${at}, ${signature}, ${from})`);
    }
    if (owner !== undefined) conditions.push(`owner = ${use(owner ?? NO_ORGANISATION)}`);
    if (outcome !== undefined) conditions.push(toOutcomeCondition(outcome, use, givenUp));
    const rows = await this.#select(
      `${conditions.join(' and ')} order by accepted_at desc, signature desc, owner desc limit ${use(limit)}`,
      parameters,
    );
    return rows.map(({ report }) => nameGivenUp(report, givenUp));
  }

  /** Counts the reports about transactions that were accepted since then, by their outcome. */
  async countSince(since: number): Promise<ReadonlyMap<ShownOutcome, number>> {
    await this.#rows.flush();
    const { database, network, timers } = this.#options;
    const rows = await database.query(
      `select case when outcome is not null then outcome when accepted_at < $1 then 'unknown' else '${UNDER_WAY}' end as shown,
        count(*) from landing_reports where network = $2 and accepted_at >= $3 group by 1`,
      [timers.now() - GIVEN_UP_MS, network, since],
    );
    return new Map(rows.map(([outcome, count]) => [String(outcome) as ShownOutcome, Number(count)]));
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

/** A landing that nobody has ended for so long was given up by a process that ended before. */
function nameGivenUp(report: LandingReport, givenUp: number): LandingReport {
  return report.outcome === null && report.acceptedAt < givenUp ? { ...report, outcome: 'unknown' } : report;
}

/**
 * @param use - Adds a parameter, and returns its name.
 * @param givenUp - Landings without an outcome from before are given up.
 */
function toOutcomeCondition(
  outcome: ShownOutcome,
  use: (value: string | number) => string,
  givenUp: number,
): string {
  if (outcome === UNDER_WAY) return `outcome is null and accepted_at >= ${use(givenUp)}`;
  if (outcome === 'unknown')
    return `(outcome = 'unknown' or outcome is null and accepted_at < ${use(givenUp)})`;
  return `outcome = ${use(outcome)}`;
}
