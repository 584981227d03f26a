import type { LogDatabase, Statement } from '../../store/log/log-database.ts';
import { insertJsonRows } from '../../store/log/insert-rows.ts';
import type { LandingReport, OpenLanding } from './landing-report.ts';

/** The columns of the table, in the order in which rows are written and read. */
const COLUMNS = [
  ['network', 'text'],
  ['signature', 'text'],
  ['owner', 'text'],
  ['request_id', 'text'],
  ['accepted_at', 'bigint'],
  ['forwarded_at', 'bigint'],
  ['seen_at', 'bigint'],
  ['confirmed_at', 'bigint'],
  ['ended_at', 'bigint'],
  ['outcome', 'text'],
  ['slot', 'bigint'],
  ['error', 'text'],
  ['sends', 'bigint'],
  ['first_seen_by', 'text'],
  ['wire', 'text'],
  ['durable', 'bigint'],
  ['last_height', 'bigint'],
] as const;
const NAMES = COLUMNS.map(([name]) => name).join(', ');

/** The column names for `select`, in the order of `toReportRow`. */
export const REPORT_COLUMNS: string = NAMES;
/** The columns by which a report is found. */
export type ReportRow = readonly (string | number | null)[];

/** Stored in place of an organisation's id if the caller had no key. */
export const NO_ORGANISATION = '';

/** A landed transaction stays landed, whatever an instance reports that does not see it. */
const LANDED = `landing_reports.outcome in ('confirmed', 'failed')`;
/**
 * Whether the transaction was submitted again after it had been given up. The stored row is then about the earlier
 * landing.
 */
const WAS_SUBMITTED_AGAIN = `(landing_reports.outcome in ('expired', 'rejected', 'unknown')
  and excluded.accepted_at > landing_reports.ended_at)`;

const joinColumn = (name: string, otherwise: string) =>
  `${name} = case when ${WAS_SUBMITTED_AGAIN} then excluded.${name} else ${otherwise} end`;
const keepColumn = (name: string) => joinColumn(name, `landing_reports.${name}`);
const first = (name: string) => joinColumn(name, `coalesce(landing_reports.${name}, excluded.${name})`);
const last = (name: string) =>
  joinColumn(
    name,
    `case when ${LANDED} then landing_reports.${name} when excluded.outcome is not null then excluded.${name}
      else coalesce(excluded.${name}, landing_reports.${name}) end`,
  );
/**
 * Several instances may land one transaction, and each of them sees a part of it. The earliest time of each step
 * counts, and the outcome.
 */
const JOINED = [
  ...['accepted_at', 'durable', 'last_height'].map(keepColumn),
  ...['forwarded_at', 'seen_at', 'confirmed_at'].map(first),
  ...['ended_at', 'outcome', 'slot', 'error', 'first_seen_by'].map(last),
  'sends = case when excluded.sends > landing_reports.sends then excluded.sends else landing_reports.sends end',
  joinColumn(
    'wire',
    'case when coalesce(excluded.outcome, landing_reports.outcome) is null then excluded.wire end',
  ),
].join(', ');

/** Returns a statement that writes the rows, and merges them with the stored ones. */
export function writeRows(kind: LogDatabase['kind'], rows: readonly ReportRow[]): Statement {
  const onConflict = `on conflict (network, signature, owner) do update set ${JOINED}`;
  const table = { table: 'landing_reports', columns: COLUMNS };
  return insertJsonRows(kind, table, JSON.stringify(rows), onConflict);
}

/** @param open - Null once the outcome is known. */
export function toReportRow(network: string, report: LandingReport, open: OpenLanding | null): ReportRow {
  const { signature, organisationId, requestId, acceptedAt, forwardedAt, seenAt, confirmedAt, endedAt } =
    report;
  const { outcome, slot, error, sends, firstSeenBy } = report;
  return [
    network,
    signature,
    organisationId ?? NO_ORGANISATION,
    requestId,
    acceptedAt,
    forwardedAt,
    seenAt,
    confirmedAt,
    endedAt,
    outcome,
    slot === null ? null : Number(slot),
    error,
    sends,
    firstSeenBy,
    open === null ? null : Buffer.from(open.wire).toString('base64'),
    open?.isDurable === true ? 1 : 0,
    Number(open?.lastHeight ?? 0n),
  ];
}

/** Returns the report of a row; `open` is null if the landing has ended. */
export function parseReportRow(row: readonly unknown[]): {
  readonly report: LandingReport;
  readonly open: OpenLanding | null;
} {
  const [, signature, owner, requestId, acceptedAt, forwardedAt, seenAt, confirmedAt, endedAt, ...rest] = row;
  const [outcome, slot, error, sends, firstSeenBy, wire, durable, lastHeight] = rest;
  const report = {
    signature: String(signature),
    organisationId: owner === NO_ORGANISATION ? null : String(owner),
    requestId: String(requestId),
    acceptedAt: Number(acceptedAt),
    forwardedAt: numberOrNull(forwardedAt),
    seenAt: numberOrNull(seenAt),
    confirmedAt: numberOrNull(confirmedAt),
    endedAt: numberOrNull(endedAt),
    outcome: outcome === null ? null : String(outcome),
    slot: slot === null ? null : BigInt(Number(slot)),
    error: error === null ? null : String(error),
    sends: Number(sends),
    firstSeenBy: firstSeenBy === null ? null : String(firstSeenBy),
  };
  if (wire === null) return { report, open: null };
  const bytes = Buffer.from(String(wire), 'base64');
  return {
    report,
    open: { wire: bytes, isDurable: Number(durable) === 1, lastHeight: BigInt(Number(lastHeight)) },
  };
}

/** Whole numbers may be returned as text. */
function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
