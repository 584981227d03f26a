import { DAY_MS, HOUR_MS } from './log-tables.ts';
import { quantileOf } from './latency-buckets.ts';
import type { TrafficLog } from './traffic-log.ts';

export interface AnalyticsQuestion {
  /** Null: every request, those without a key included. */
  readonly organisationId: string | null;
  readonly teamId: string | null;
  /** Unix milliseconds, taken down to the hour or day; the first included, the second not. */
  readonly since: number;
  readonly until: number;
  readonly per: 'hour' | 'day';
}

/** Of admitted requests, in microseconds, to within 1/32; null when there was none. */
export interface Latency {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface Traffic {
  readonly requests: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly credits: number;
}

export interface Analytics {
  readonly total: Traffic & { readonly latency: Latency };
  /** In order; where there was nothing there is no row. `at` is the hour's or day's first millisecond. */
  readonly series: readonly (Traffic & { readonly at: number; readonly latency: Latency })[];
  /** Those with the most requests. */
  readonly endpoints: readonly (Traffic & { readonly endpoint: string; readonly latency: Latency })[];
  readonly keys: readonly (Traffic & { readonly keyId: string })[];
  /** How often each rule matched, and what came of it where it decided. */
  readonly firewall: readonly {
    readonly teamId: string;
    readonly rule: string;
    readonly outcome: string;
    readonly requests: number;
  }[];
  /** Outcomes over time, of the rules that decided. */
  readonly firewallSeries: readonly {
    readonly at: number;
    readonly outcome: string;
    readonly requests: number;
  }[];
}

const MAX_LISTED = 20;
const MAX_RULES = 200;
const SUMS = 'sum(requests) as r, sum(client_errors) as ce, sum(server_errors) as se, sum(credits) as c';

/** Reads what was counted; what this process has not written yet is written first. */
export async function analyse(log: TrafficLog, question: AnalyticsQuestion): Promise<Analytics> {
  await log.flush();
  const hours = question.per === 'hour' ? 1 : DAY_MS / HOUR_MS;
  const first = Math.floor(question.since / (hours * HOUR_MS)) * hours;
  const end = Math.ceil(question.until / HOUR_MS);
  const { where, parameters } = conditionOf(question, first, end);
  const ask = (text: string) => log.database.query(text, parameters);
  const group = `hour / ${hours}`;
  const atOf = (part: unknown) => Number(part) * hours * HOUR_MS;
  const [total, series, endpoints, keys, byTime, byEndpoint, firewall, firewallSeries] = await Promise.all([
    ask(`select ${SUMS} from traffic ${where}`),
    ask(`select ${group} as part, ${SUMS} from traffic ${where} group by ${group} order by 1`),
    ask(
      `select endpoint, ${SUMS} from traffic ${where} group by endpoint order by 2 desc, 1 limit ${MAX_LISTED}`,
    ),
    ask(
      `select key_id, ${SUMS} from traffic ${where} group by key_id order by 2 desc, 1 limit ${MAX_LISTED}`,
    ),
    ask(
      `select ${group} as part, bucket, sum(requests) as r from latency ${where} group by ${group}, bucket`,
    ),
    ask(`select endpoint, bucket, sum(requests) as r from latency ${where} group by endpoint, bucket`),
    ask(
      `select team_id, rule, outcome, sum(requests) as r from firewall_traffic ${where} group by team_id, rule, outcome order by 4 desc, 2, 3, 1 limit ${MAX_RULES}`,
    ),
    ask(
      `select ${group} as part, outcome, sum(requests) as r from firewall_traffic ${where} and outcome <> 'matched' group by ${group}, outcome order by 1, 2`,
    ),
  ]);
  const timeHistograms = histogramsOf(byTime);
  const endpointHistograms = histogramsOf(byEndpoint);
  return {
    total: { ...trafficOf(total[0] ?? [], 0), latency: latencyOf(merged(timeHistograms.values())) },
    series: series.map((row) => ({
      at: atOf(row[0]),
      ...trafficOf(row, 1),
      latency: latencyOf(timeHistograms.get(String(row[0]))),
    })),
    endpoints: endpoints.map((row) => ({
      endpoint: String(row[0]),
      ...trafficOf(row, 1),
      latency: latencyOf(endpointHistograms.get(String(row[0]))),
    })),
    keys: keys.map((row) => ({ keyId: String(row[0]), ...trafficOf(row, 1) })),
    firewall: firewall.map(([teamId, rule, outcome, requests]) => ({
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

function conditionOf({ organisationId, teamId }: AnalyticsQuestion, first: number, end: number) {
  const parameters: (string | number)[] = [first, end];
  let where = 'where hour >= $1 and hour < $2';
  if (organisationId !== null) where += ` and organisation_id = $${parameters.push(organisationId)}`;
  if (teamId !== null) where += ` and team_id = $${parameters.push(teamId)}`;
  return { where, parameters };
}

/** @param from the place of the first of the sums */
function trafficOf(row: readonly unknown[], from: number): Traffic {
  const [requests, clientErrors, serverErrors, credits] = row
    .slice(from, from + 4)
    .map((value) => Number(value ?? 0));
  return {
    requests: requests ?? 0,
    clientErrors: clientErrors ?? 0,
    serverErrors: serverErrors ?? 0,
    credits: credits ?? 0,
  };
}

type Histogram = ReadonlyMap<number, number>;

/** @param rows of what it is of, a bucket, and how many */
function histogramsOf(rows: readonly (readonly unknown[])[]): ReadonlyMap<string, Histogram> {
  const histograms = new Map<string, Map<number, number>>();
  for (const [of, bucket, requests] of rows) {
    const histogram = histograms.get(String(of)) ?? new Map<number, number>();
    histogram.set(Number(bucket), Number(requests));
    histograms.set(String(of), histogram);
  }
  return histograms;
}

function merged(histograms: Iterable<Histogram>): Histogram {
  const sums = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, requests] of histogram) sums.set(bucket, (sums.get(bucket) ?? 0) + requests);
  }
  return sums;
}

function latencyOf(histogram: Histogram = new Map()): Latency {
  return {
    p50: quantileOf(histogram, 0.5),
    p90: quantileOf(histogram, 0.9),
    p95: quantileOf(histogram, 0.95),
    p99: quantileOf(histogram, 0.99),
  };
}
