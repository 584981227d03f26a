import { shape, type ShapeValue } from '../../../base/json-shape.ts';

const counts = {
  requests: shape.number,
  clientErrors: shape.number,
  serverErrors: shape.number,
  credits: shape.number,
};
const latency = shape.object({
  p50: shape.nullable(shape.number),
  p90: shape.nullable(shape.number),
  p95: shape.nullable(shape.number),
  p99: shape.nullable(shape.number),
});
const total = shape.object({ ...counts, errorShare: shape.nullable(shape.number), latency });
const element = shape.object({ at: shape.number, ...counts, latency });
const times = shape.object({ since: shape.number, until: shape.number });

/** Reads the analytics of a range. */
export const readAnalyticsReport = shape.object({
  bucketMinutes: shape.number,
  range: times,
  previousRange: times,
  countedSince: shape.nullable(shape.number),
  total,
  previous: total,
  change: shape.object({
    requests: shape.nullable(shape.number),
    errors: shape.nullable(shape.number),
    errorShare: shape.nullable(shape.number),
    credits: shape.nullable(shape.number),
    p50: shape.nullable(shape.number),
    p95: shape.nullable(shape.number),
    p99: shape.nullable(shape.number),
  }),
  series: shape.list(element),
  previousSeries: shape.list(element),
  endpoints: shape.list(shape.object({ endpoint: shape.text, ...counts, latency })),
  keys: shape.list(
    shape.object({
      organisation: shape.nullable(shape.text),
      team: shape.nullable(shape.text),
      key: shape.text,
      ...counts,
    }),
  ),
  statuses: shape.list(shape.object({ status: shape.number, requests: shape.number })),
  countries: shape.list(shape.object({ country: shape.nullable(shape.text), requests: shape.number })),
  firewall: shape.list(
    shape.object({
      organisation: shape.text,
      team: shape.text,
      rule: shape.text,
      outcome: shape.text,
      requests: shape.number,
    }),
  ),
  firewallSeries: shape.list(shape.object({ at: shape.number, outcome: shape.text, requests: shape.number })),
});

/** The analytics of a range, with the range of the same length before. */
export type AnalyticsReport = ShapeValue<typeof readAnalyticsReport>;
