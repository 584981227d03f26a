import {
  type CountsName,
  getCountedTable,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  RESOLUTIONS,
} from './log/log-tables.ts';
import type { TrafficLog } from './log/traffic-log.ts';
import {
  computeLatency,
  type Latency,
  mergeHistograms,
  toHistograms,
  toTraffic,
  toTrafficTotal,
  type Traffic,
  type TrafficTotal,
} from './traffic-totals.ts';

/** Lengths that one element of a series can have, in minutes. */
export const BUCKET_MINUTES = {
  minute: 1,
  'quarter-hour': 15,
  hour: 60,
  '6-hours': 360,
  '12-hours': 720,
  day: 1_440,
} as const;
export type BucketName = keyof typeof BUCKET_MINUTES;
export const BUCKET_NAMES = Object.keys(BUCKET_MINUTES) as BucketName[];

export interface AnalyticsQuestion {
  /** Null: every request, including those without a key. */
  readonly organisationId: string | null;
  readonly teamId: string | null;
  /**
   * Unix milliseconds, `since` included and `until` excluded. They are rounded outwards to a minute or hour, and
   * `since` to a bucket.
   */
  readonly since: number;
  readonly until: number;
  readonly per: BucketName;
}

/**
 * Chooses the bucket for a range: a minute for up to an hour, a quarter of an hour for up to a day, 6 hours for up to
 * 7 days, 12 hours for up to 30 days, and a day for longer ranges. Less than a minute more does not count: a client that
 * asks for the last hour says when that began, and it ends when the request arrives. A short range that is no longer
 * counted by the minute gets hours.
 * @param minutesSince - Unix milliseconds from which on requests are counted by the minute.
 */
export function chooseBucket(
  { since, until }: Pick<AnalyticsQuestion, 'since' | 'until'>,
  minutesSince: number,
): BucketName {
  const exactly = until - since;
  const length = exactly - (exactly % MINUTE_MS);
  if (length <= DAY_MS && since - exactly < minutesSince) return 'hour';
  if (length <= HOUR_MS) return 'minute';
  if (length <= DAY_MS) return 'quarter-hour';
  if (length <= 7 * DAY_MS) return '6-hours';
  return length <= 30 * DAY_MS ? '12-hours' : 'day';
}

/** One element of a series. `at` is its first millisecond, in Unix time. */
export interface TrafficElement extends Traffic {
  readonly at: number;
  readonly latency: Latency;
}

/** Unix milliseconds, `since` included and `until` excluded. */
export interface CountedRange {
  readonly since: number;
  readonly until: number;
}

export interface Analytics {
  readonly bucketMinutes: number;
  /** What is counted, in Unix milliseconds: the question's range, rounded. */
  readonly range: CountedRange;
  /** The preceding range of the same length. */
  readonly previousRange: CountedRange;
  /** The first hour of which counts are kept, in Unix milliseconds; null: there are none. */
  readonly countedSince: number | null;
  readonly total: TrafficTotal;
  /** The totals of the preceding range of the same length. */
  readonly previous: TrafficTotal;
  /**
   * In order of time. Buckets without requests are left out. `at` is the first millisecond of the bucket, in Unix
   * time.
   */
  readonly series: readonly TrafficElement[];
  /** The preceding range in the same way. Its buckets begin with it. */
  readonly previousSeries: readonly TrafficElement[];
  /** The endpoints with the most requests. */
  readonly endpoints: readonly (Traffic & { readonly endpoint: string; readonly latency: Latency })[];
  /** Ids are empty for requests without a known key. */
  readonly keys: readonly (Traffic & {
    readonly organisationId: string;
    readonly teamId: string;
    readonly keyId: string;
  })[];
  readonly statuses: readonly { readonly status: number; readonly requests: number }[];
  /** The countries with the most requests; null stands for unknown countries. */
  readonly countries: readonly { readonly country: string | null; readonly requests: number }[];
  /** How often each rule matched, and the outcomes of the requests that it decided. */
  readonly firewall: readonly {
    readonly organisationId: string;
    readonly teamId: string;
    readonly rule: string;
    readonly outcome: string;
    readonly requests: number;
  }[];
  /** Outcomes of the deciding rules over time. */
  readonly firewallSeries: readonly {
    readonly at: number;
    readonly outcome: string;
    readonly requests: number;
  }[];
}

const MAX_LISTED = 20;
const MAX_RULES = 200;
const MAX_COUNTRIES = 250;
const SUMS = 'sum(requests) as r, sum(client_errors) as ce, sum(server_errors) as se, sum(credits) as c';

/** Analyses the counts. Counts that this process has not written yet are written first. */
export async function analyse(log: TrafficLog, question: AnalyticsQuestion): Promise<Analytics> {
  await log.flush();
  const range = computeUnitRange(question);
  const { ask, atOf, bucket } = createCountsReader(log, question, range);
  const before: UnitRange = { first: range.first - (range.end - range.first), end: range.first };
  const [
    current,
    previous,
    endpoints,
    keys,
    byEndpoint,
    statuses,
    countries,
    firewall,
    firewallSeries,
    first,
  ] = await Promise.all([
    readSeries(log, question, range),
    readSeries(log, question, before),
    ask('traffic', `endpoint, ${SUMS}`, `group by endpoint order by 2 desc, 1 limit ${MAX_LISTED}`),
    ask(
      'traffic',
      `organisation_id, team_id, key_id, ${SUMS}`,
      `group by organisation_id, team_id, key_id order by 4 desc, 3 limit ${MAX_LISTED}`,
    ),
    ask('latency', 'endpoint, bucket, sum(requests) as r', 'group by endpoint, bucket'),
    ask('status_traffic', 'status, sum(requests) as r', 'group by status order by 1'),
    ask(
      'country_traffic',
      'country, sum(requests) as r',
      `group by country order by 2 desc, 1 limit ${MAX_COUNTRIES}`,
    ),
    ask(
      'firewall_traffic',
      'organisation_id, team_id, rule, outcome, sum(requests) as r',
      `group by organisation_id, team_id, rule, outcome order by 5 desc, 3, 4, 2 limit ${MAX_RULES}`,
    ),
    ask(
      'firewall_traffic',
      `${bucket} as part, outcome, sum(requests) as r`,
      `and outcome <> 'matched' group by ${bucket}, outcome order by 1, 2`,
    ),
    log.database.query(`select min(hour) from ${getCountedTable('hour', 'traffic').name}`, []),
  ]);
  const endpointHistograms = toHistograms(byEndpoint);
  return {
    bucketMinutes: BUCKET_MINUTES[question.per],
    range: toCountedRange(range, question.per),
    previousRange: toCountedRange(before, question.per),
    countedSince: first[0]?.[0] == null ? null : Number(first[0][0]) * HOUR_MS,
    total: current.total,
    previous: previous.total,
    series: current.series,
    previousSeries: previous.series,
    endpoints: endpoints.map((row) => ({
      endpoint: String(row[0]),
      ...toTraffic(row, 1),
      latency: computeLatency(endpointHistograms.get(String(row[0]))),
    })),
    keys: keys.map((row) => ({
      organisationId: String(row[0]),
      teamId: String(row[1]),
      keyId: String(row[2]),
      ...toTraffic(row, 3),
    })),
    statuses: statuses.map(([status, requests]) => ({ status: Number(status), requests: Number(requests) })),
    countries: countries.map(([country, requests]) => ({
      country: country === '' ? null : String(country),
      requests: Number(requests),
    })),
    firewall: firewall.map(([organisationId, teamId, rule, outcome, requests]) => ({
      organisationId: String(organisationId),
      teamId: String(teamId),
      rule: String(rule),
      outcome: String(outcome),
      requests: Number(requests),
    })),
    firewallSeries: firewallSeries.map(([part, outcome, requests]) => ({
      at: atOf(part),
      outcome: String(outcome),
      requests: Number(requests),
    })),
  };
}

/** A range in the unit of the tables, minutes or hours since 1970. The end is excluded. */
interface UnitRange {
  readonly first: number;
  readonly end: number;
}

function chooseResolution(per: BucketName): 'minute' | 'hour' {
  return BUCKET_MINUTES[per] * MINUTE_MS < HOUR_MS ? 'minute' : 'hour';
}

function unitsInBucket(per: BucketName): number {
  return (BUCKET_MINUTES[per] * MINUTE_MS) / RESOLUTIONS[chooseResolution(per)];
}

function computeUnitRange({ since, until, per }: AnalyticsQuestion): UnitRange {
  const unitMs = RESOLUTIONS[chooseResolution(per)];
  const units = unitsInBucket(per);
  return { first: Math.floor(since / (units * unitMs)) * units, end: Math.ceil(until / unitMs) };
}

/** Returns a function that queries the tables for the requests of a range. */
function createCountsReader(
  log: TrafficLog,
  { organisationId, teamId, per }: AnalyticsQuestion,
  { first, end }: UnitRange,
) {
  const resolution = chooseResolution(per);
  const units = unitsInBucket(per);
  const parameters: (string | number)[] = [first, end];
  let where = `where ${resolution} >= $1 and ${resolution} < $2`;
  if (organisationId !== null) where += ` and organisation_id = $${parameters.push(organisationId)}`;
  if (teamId !== null) where += ` and team_id = $${parameters.push(teamId)}`;
  return {
    ask: (counted: CountsName, columns: string, rest = '') =>
      log.database.query(
        `select ${columns} from ${getCountedTable(resolution, counted).name} ${where} ${rest}`,
        parameters,
      ),
    /** The number of a row's bucket, in SQL. */
    bucket: `(${resolution} - ${first}) / ${units}`,
    /** The first millisecond of the bucket with this number. */
    atOf: (part: unknown) => (first + Number(part) * units) * RESOLUTIONS[resolution],
  };
}

function toCountedRange({ first, end }: UnitRange, per: BucketName): CountedRange {
  const unitMs = RESOLUTIONS[chooseResolution(per)];
  return { since: first * unitMs, until: end * unitMs };
}

/** Reads the totals of a range and its series, of which the buckets begin with the range. */
async function readSeries(
  log: TrafficLog,
  question: AnalyticsQuestion,
  range: UnitRange,
): Promise<{ readonly total: TrafficTotal; readonly series: readonly TrafficElement[] }> {
  const { ask, atOf, bucket } = createCountsReader(log, question, range);
  const [total, rows, latency] = await Promise.all([
    ask('traffic', SUMS),
    ask('traffic', `${bucket} as part, ${SUMS}`, `group by ${bucket} order by 1`),
    ask('latency', `${bucket} as part, bucket, sum(requests) as r`, `group by ${bucket}, bucket`),
  ]);
  const histograms = toHistograms(latency);
  return {
    total: toTrafficTotal(total, mergeHistograms(histograms.values())),
    series: rows.map((row) => ({
      at: atOf(row[0]),
      ...toTraffic(row, 1),
      latency: computeLatency(histograms.get(String(row[0]))),
    })),
  };
}
