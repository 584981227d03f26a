import type { Database } from './index.ts';

/** What a change did, and its entry in the audit log. Nothing in the entry may be secret. */
export interface AuditedChange<T> {
  readonly result: T;
  readonly action: string;
  /** The id of what was changed. */
  readonly subject: string;
  readonly before: object | null;
  readonly after: object | null;
}

/**
 * Makes one change in the name of a caller, and writes its entry into the audit log, both in one transaction. The platform
 * knows the caller, and provides the function.
 */
export type MakeChange = <T>(work: (db: Database) => Promise<AuditedChange<T>>) => Promise<T>;

/** A change that the market made, such as the suspension of a maker. */
export interface MarketChange {
  /** Unix milliseconds. */
  readonly at: number;
  readonly action: string;
  /** The id of the maker. */
  readonly subject: string;
  readonly before: object;
  readonly after: object;
}

/** Writes an entry into the audit log, within the transaction of the change. */
export type RecordMarketChange = (db: Database, change: MarketChange) => Promise<void>;
