import { and, asc, count, desc, eq, gt, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Timers } from '../../common/ports/timers.ts';
import type { Store } from '../../store/index.ts';
import { landingReports as table } from '../../store/schema.ts';

/** What became of a transaction that an organisation submitted. Times are Unix milliseconds, null until they happen. */
export interface LandingReport {
  /** Base58. */
  readonly signature: string;
  /** The id of the organisation; null for callers without a key, who share one report. */
  readonly organisationId: string | null;
  /** The id of the first request that submitted it. */
  readonly requestId: string;
  readonly acceptedAt: number;
  readonly forwardedAt: number | null;
  readonly seenAt: number | null;
  readonly confirmedAt: number | null;
  readonly endedAt: number | null;
  /** How it ended; null while it is under way. */
  readonly outcome: string | null;
  readonly slot: bigint | null;
  readonly error: string | null;
  /** How often it was sent, whoever submitted it. */
  readonly sends: number;
}

/** What it takes to continue after a restart. */
export interface OpenLanding {
  readonly wire: Uint8Array;
  readonly isDurable: boolean;
  readonly lastHeight: bigint;
}

export interface LandingReportsOptions {
  readonly store: Store;
  /** Genesis hash: signatures of one network say nothing about another. */
  readonly network: string;
  readonly timers: Timers;
  /** Called when reports could not be written. They are written later. */
  readonly onDefect: (error: unknown) => void;
}

type Row = typeof table.$inferInsert;

const FLUSH_MS = 200;
/** After a failure, the database is left alone for a while. */
const RETRY_MS = 2_000;
const ROWS_AT_ONCE = 100;
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
/** In the place of an organisation's id. */
const KEYLESS = '';

/**
 * Keeps reports about landings in the database. They are written behind the requests: what an instance has accepted in
 * the last fifth of a second may be lost when it is killed. Instances that land the same transaction share its reports.
 */
export class LandingReports {
  readonly #options: LandingReportsOptions;
  /** By signature and owner, those that have waited longest first. */
  readonly #waiting = new Map<string, Row>();
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
    const row = toRow(this.#options.network, report, open);
    this.#waiting.set(keyOf(row), row);
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
    const named = or(eq(table.signature, name), eq(table.requestId, name));
    const owned = owner === undefined ? undefined : eq(table.owner, owner ?? KEYLESS);
    const rows = await this.#options.store.db
      .select()
      .from(table)
      .where(and(this.#ofNetwork(), named, owned))
      .orderBy(asc(table.acceptedAt), asc(table.owner));
    return rows.map((row) => toReport(row, this.#options.timers.now()));
  }

  /** @returns landings that had not ended when they were last written, the newest first */
  async unfinished(): Promise<{ readonly report: LandingReport; readonly open: OpenLanding }[]> {
    const since = this.#options.timers.now() - GIVEN_UP_MS;
    const rows = await this.#options.store.db
      .select()
      .from(table)
      .where(and(this.#ofNetwork(), isNull(table.outcome), gte(table.acceptedAt, since)))
      .orderBy(desc(table.acceptedAt))
      .limit(MAX_RESUMED);
    return rows.flatMap((row) => {
      if (row.wire === null) return [];
      const wire = Buffer.from(row.wire, 'base64');
      const open = { wire, isDurable: row.durable === 1, lastHeight: BigInt(row.lastHeight) };
      return [{ report: toReport(row, since), open }];
    });
  }

  /** Removes reports that are a week old, and the oldest ones of organisations that have too many. */
  async prune(maxKept = MAX_KEPT_EACH): Promise<void> {
    const { db } = this.#options.store;
    const oldest = this.#options.timers.now() - KEPT_MS;
    await db.delete(table).where(and(this.#ofNetwork(), lt(table.acceptedAt, oldest)));
    const crowded = await db
      .select({ owner: table.owner })
      .from(table)
      .where(this.#ofNetwork())
      .groupBy(table.owner)
      .having(gt(count(), maxKept));
    for (const { owner } of crowded) {
      const ofOwner = and(this.#ofNetwork(), eq(table.owner, owner));
      const [first] = await db
        .select({ acceptedAt: table.acceptedAt })
        .from(table)
        .where(ofOwner)
        .orderBy(desc(table.acceptedAt))
        .limit(1)
        .offset(maxKept);
      if (first !== undefined)
        await db.delete(table).where(and(ofOwner, sql`${table.acceptedAt} <= ${first.acceptedAt}`));
    }
  }

  /** Writes what waits, and ends. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    this.#cancelPrune();
    await this.#flush();
  }

  #ofNetwork(): SQL {
    return eq(table.network, this.#options.network);
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
        await this.#upsert(batch.map(([, row]) => row));
      } catch (error) {
        // What was noted meanwhile is newer.
        for (const [key, row] of batch) if (!this.#waiting.has(key)) this.#waiting.set(key, row);
        this.#options.onDefect(error);
        this.#schedule(RETRY_MS);
        return;
      }
    }
  }

  /** Several instances may land one transaction, and each sees a part: the first time of each step and the end count. */
  async #upsert(rows: readonly Row[]): Promise<void> {
    const known = (column: string) => sql.raw(`landing_reports.${column}`);
    const given = (column: string) => sql.raw(`excluded.${column}`);
    const first = (column: string) => sql`coalesce(${known(column)}, ${given(column)})`;
    const last = (column: string) => sql`coalesce(${given(column)}, ${known(column)})`;
    await this.#options.store.db
      .insert(table)
      .values([...rows])
      .onConflictDoUpdate({
        target: [table.network, table.signature, table.owner],
        set: {
          forwardedAt: first('forwarded_at'),
          seenAt: first('seen_at'),
          confirmedAt: first('confirmed_at'),
          endedAt: last('ended_at'),
          outcome: last('outcome'),
          slot: last('slot'),
          error: last('error'),
          sends: sql`case when ${given('sends')} > ${known('sends')} then ${given('sends')} else ${known('sends')} end`,
          wire: sql`case when coalesce(${given('outcome')}, ${known('outcome')}) is null then ${given('wire')} end`,
        },
      });
  }
}

function keyOf({ signature, owner }: Row): string {
  return `${signature}:${owner}`;
}

function toRow(network: string, report: LandingReport, open: OpenLanding | null): Row {
  const { organisationId, slot, ...rest } = report;
  return {
    ...rest,
    network,
    owner: organisationId ?? KEYLESS,
    slot: slot === null ? null : Number(slot),
    wire: open === null ? null : Buffer.from(open.wire).toString('base64'),
    durable: open?.isDurable === true ? 1 : 0,
    lastHeight: Number(open?.lastHeight ?? 0n),
  };
}

function toReport(row: typeof table.$inferSelect, now: number): LandingReport {
  const { signature, owner, requestId, acceptedAt, forwardedAt, seenAt, confirmedAt, endedAt } = row;
  const { slot, error, sends } = row;
  const isGivenUp = row.outcome === null && acceptedAt < now - GIVEN_UP_MS;
  return {
    signature,
    organisationId: owner === KEYLESS ? null : owner,
    requestId,
    acceptedAt,
    forwardedAt,
    seenAt,
    confirmedAt,
    endedAt,
    outcome: isGivenUp ? 'unknown' : row.outcome,
    slot: slot === null ? null : BigInt(slot),
    error,
    sends,
  };
}
