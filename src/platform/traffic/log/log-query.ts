import { formatForError } from '../../../common/format-for-error.ts';
import { Refused, toResult, type Result } from '../../../common/refusal.ts';
import { getPageLimit, type Page, createPage, type PageQuery, parseCursor } from '../../requests/paging.ts';
import { DAY_MS, LOG_COLUMNS, getDayTable } from './log-tables.ts';
import type { RequestDecision, RequestEntry } from './request-entry.ts';
import { type LogFilter, parseStatusRange } from './log-filter.ts';
import type { TrafficLog } from './traffic-log.ts';

export interface LogQuestion {
  readonly filter: LogFilter;
  /** Unix milliseconds, `since` included and `until` excluded. */
  readonly since: number;
  readonly until: number;
}

interface LogPosition {
  readonly at: number;
  readonly requestId: string;
}

const REQUEST_ID = /^[0-9a-f-]{36}$/;
const NAMES = LOG_COLUMNS.map(([name]) => name).join(', ');

/**
 * Reads the log from the newest row backwards, one day after another, until the page is full. Rows that this process
 * has not written yet are written first.
 * Returns a refusal when the cursor or the status is invalid.
 */
export function queryLog(
  log: TrafficLog,
  { filter, since, until }: LogQuestion,
  page: PageQuery,
): Promise<Result<Page<RequestEntry>>> {
  return toResult(async () => {
    const after = parseLogPosition(page);
    const conditions = toLogConditions(filter);
    await log.flush();
    const newest = Math.floor(Math.min(until - 1, after?.at ?? until) / DAY_MS);
    const days = (await log.days()).filter((day) => day <= newest && day >= Math.floor(since / DAY_MS));
    // One row more than the page holds shows whether there is a next page.
    const most = getPageLimit(page) + 1;
    const entries: RequestEntry[] = [];
    for (const day of days) {
      const { text, parameters } = select(day, { since, until, after, conditions }, most - entries.length);
      entries.push(...(await log.database.query(text, parameters)).map(parseLogRow));
      if (entries.length === most) break;
    }
    return createPage(entries, page, ({ at, requestId }) => [at, requestId]);
  });
}

type LogCondition = readonly [sql: (parameter: string) => string, value: string | number];

function select(
  day: number,
  bounds: {
    readonly since: number;
    readonly until: number;
    readonly after: LogPosition | null;
    readonly conditions: readonly LogCondition[];
  },
  limit: number,
) {
  const parameters: (string | number)[] = [];
  // Each parameter is used once and in order, because SQLite numbers parameters by their first occurrence.
  const add = (value: string | number) => `$${parameters.push(value)}`;
  const where = [`at >= ${add(bounds.since)}`, `at < ${add(bounds.until)}`];
  if (bounds.after !== null) {
    const { at, requestId } = bounds.after;
    where.push(`(at < ${add(at)} or (at = ${add(at)} and request_id < ${add(requestId)}))`);
  }
  for (const [sql, value] of bounds.conditions) where.push(sql(add(value)));
  const text = `select ${NAMES} from ${getDayTable(day)} where ${where.join(' and ')} order by at desc, request_id desc limit ${add(limit)}`;
  return { text, parameters };
}

function toLogConditions(filter: LogFilter): readonly LogCondition[] {
  const columns = {
    organisation_id: filter.organisationId,
    team_id: filter.teamId,
    key_id: filter.keyId,
    request_id: filter.requestId,
    method: filter.method,
    decision: filter.decision,
    rule: filter.rule,
    firewall: filter.outcome,
    client: filter.client,
    country: filter.country,
    endpoint: filter.endpoint,
    order_id: filter.order,
  };
  const conditions: LogCondition[] = [];
  for (const [name, value] of Object.entries(columns)) {
    if (value !== undefined) conditions.push([(parameter) => `${name} = ${parameter}`, value]);
  }
  const { path, status, group, matched } = filter;
  if (group !== undefined) {
    const beginning = `/${group}/`;
    conditions.push([(parameter) => `substr(path || '/', 1, ${beginning.length}) = ${parameter}`, beginning]);
  }
  if (path !== undefined) {
    conditions.push([(parameter) => `substr(path, 1, ${path.length}) = ${parameter}`, path]);
  }
  if (matched !== undefined) conditions.push([matchedCondition, `,${JSON.stringify(matched)}`]);
  return status === undefined ? conditions : [...conditions, ...statusConditions(status)];
}

/**
 * Selects rows whose list of rules, which is JSON, has a rule. A comma with a quotation mark behind it separates two rules: within
 * a name the mark is escaped.
 */
function matchedCondition(parameter: string): string {
  const list = `(',' || substr(matched, 2))`;
  return `replace(${list}, ${parameter}, '') <> ${list}`;
}

function statusConditions(text: string): readonly LogCondition[] {
  const { from, below } = parseStatusRange(text);
  if (below === from + 1) return [[(parameter) => `status = ${parameter}`, from]];
  return [
    [(parameter) => `status >= ${parameter}`, from],
    [(parameter) => `status < ${parameter}`, below],
  ];
}

/** Returns null for the first page. */
function parseLogPosition(page: PageQuery): LogPosition | null {
  const place = parseCursor<[number, string]>(page, [0, '']);
  if (place === null) return null;
  const [at, requestId] = place;
  if (Number.isSafeInteger(at) && REQUEST_ID.test(requestId)) return { at, requestId };
  throw new Refused(
    'invalid-value',
    `cursor must be the next of a page before, got ${formatForError(page.cursor)}`,
  );
}

/** @param row - In the order of `LOG_COLUMNS`. */
function parseLogRow(row: readonly unknown[]): RequestEntry {
  const text = (name: (typeof LOG_COLUMNS)[number][0]) =>
    String(row[LOG_COLUMNS.findIndex(([column]) => column === name)]);
  const organisationId = text('organisation_id');
  const outcome = text('firewall');
  const order = text('order_id');
  return {
    requestId: text('request_id'),
    at: Number(text('at')),
    owner: organisationId === '' ? null : { organisationId, teamId: text('team_id'), keyId: text('key_id') },
    method: text('method'),
    path: text('path'),
    endpoint: text('endpoint'),
    status: Number(text('status')),
    decision: text('decision') as RequestDecision,
    firewall:
      outcome === ''
        ? null
        : { outcome, rule: text('rule'), matched: JSON.parse(text('matched')) as string[] },
    credits: Number(text('credits')),
    gatewayUs: Number(text('gateway_us')),
    handlerUs: Number(text('handler_us')),
    sendUs: Number(text('send_us')),
    client: text('client'),
    country: text('country') || null,
    asn: Number(text('asn')) || null,
    host: text('host'),
    referrer: text('referrer'),
    userAgent: text('user_agent'),
    query: text('query'),
    bytesReceived: Number(text('bytes_received')),
    bytesSent: Number(text('bytes_sent')),
    order:
      order === ''
        ? null
        : {
            requestId: order,
            router: text('router'),
            code: text('order_code') === '' ? null : Number(text('order_code')),
            signature: text('signature'),
          },
  };
}
