import { Type } from 'typebox';
import { DECISIONS } from '../../platform/traffic/request-entry.ts';
import { USAGE_GROUPS } from '../../platform/traffic/usage.ts';
import { CreditsJson, KeyName, Next, page, Slug, Time } from './platform-schema.ts';

const closed = { additionalProperties: false };
const text = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }));
const oneOf = <T extends string>(names: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T>(Type.Enum([...names], { description })));
const times = (absent: string) => ({
  since: Type.Optional(Type.Integer({ ...Time, description: `Unix milliseconds; ${absent} when absent.` })),
  until: Type.Optional(Type.Integer({ ...Time, description: 'Unix milliseconds; now when absent.' })),
});

const logFilters = {
  ...times('7 days ago'),
  requestId: text('The `x-api-gateway-request-id` of the answer.'),
  status: text('Such as 404, or 4xx.'),
  method: text('Such as GET.'),
  path: text('The beginning of the path.'),
  decision: oneOf(DECISIONS, 'Whether the handler was reached, or what refused.'),
  rule: text('The name of the firewall rule that decided.'),
  ...page,
};
export const LogQuery = Type.Object(logFilters, closed);
export const OrganisationLogQuery = Type.Object(
  { ...logFilters, team: Type.Optional(Slug), key: Type.Optional(KeyName) },
  closed,
);

const Microseconds = Type.Integer({ description: 'Microseconds.' });
const LogEntry = Type.Object({
  at: Time,
  requestId: Type.String(),
  organisation: Type.Union([Type.String(), Type.Null()], { description: 'Null without a key that works.' }),
  team: Type.Union([Type.String(), Type.Null()]),
  key: Type.Union([Type.String(), Type.Null()]),
  client: Type.String({ description: 'An IPv4 address or an IPv6 /64 network.' }),
  method: Type.String(),
  path: Type.String(),
  endpoint: Type.String({ description: 'The route that answered; empty where there is none.' }),
  status: Type.Integer(),
  decision: Type.String({ description: `One of ${DECISIONS.join(', ')}.` }),
  firewall: Type.Union([
    Type.Object({
      outcome: Type.String({ description: 'bypass, deny, limit, allow or log.' }),
      rule: Type.String(),
      matched: Type.Array(Type.String()),
    }),
    Type.Null({ description: 'No rule matched.' }),
  ]),
  credits: Type.Integer(),
  latency: Type.Object({
    total: Microseconds,
    gateway: Type.Integer({ description: 'Until the handler began.' }),
    handler: Type.Integer({ description: 'Until it answered.' }),
    send: Type.Integer({ description: 'Until the answer was sent.' }),
  }),
});
export const LogAnswer = Type.Object({
  entries: Type.Array(LogEntry, { description: 'The newest first.' }),
  next: Next,
  dropped: Type.Integer({
    description: 'Lines that this instance has dropped: too many waited, or too many requests were refused.',
  }),
});

export const UsageQuery = Type.Object(
  {
    ...times('30 days ago'),
    by: oneOf(USAGE_GROUPS, 'day when absent.'),
    team: Type.Optional(Slug),
  },
  closed,
);
const counts = { requests: Type.Integer(), credits: Type.Integer() };
export const UsageAnswer = Type.Object({
  month: CreditsJson,
  months: Type.Array(CreditsJson, {
    description:
      'The calendar months that have a part in the time that is asked for, the newest first, each by the plan that was in force at its end; twelve at most.',
  }),
  rows: Type.Array(
    Type.Object({
      of: Type.String({
        description: 'A day as 2026-01-31, the name of a key with its team, or an endpoint.',
      }),
      ...counts,
      errors: Type.Integer({ description: 'Answers with a status of 400 and more.' }),
    }),
  ),
});

const analyticsFilters = { ...times('24 hours ago'), per: oneOf(['hour', 'day'], 'hour when absent.') };
export const AnalyticsQuery = Type.Object(analyticsFilters, closed);
export const OrganisationAnalyticsQuery = Type.Object(
  { ...analyticsFilters, team: Type.Optional(Slug) },
  closed,
);
const Quantile = Type.Union([Type.Number(), Type.Null()]);
const latency = Type.Object(
  { p50: Quantile, p90: Quantile, p95: Quantile, p99: Quantile },
  { description: 'Of admitted requests, in microseconds, to within 1/32; null: there was none.' },
);
const traffic = { ...counts, clientErrors: Type.Integer(), serverErrors: Type.Integer() };
export const AnalyticsAnswer = Type.Object({
  total: Type.Object({ ...traffic, latency }),
  series: Type.Array(Type.Object({ at: Time, ...traffic, latency }), {
    description: 'By the hour or day; where there was nothing there is no element.',
  }),
  endpoints: Type.Array(Type.Object({ endpoint: Type.String(), ...traffic, latency })),
  keys: Type.Array(Type.Object({ key: Type.String(), ...traffic })),
  firewall: Type.Array(
    Type.Object({
      team: Type.String(),
      rule: Type.String(),
      outcome: Type.String({
        description: '`matched`, or what came of it where the rule decided: bypass, deny, limit, allow, log.',
      }),
      requests: Type.Integer(),
    }),
  ),
  firewallSeries: Type.Array(Type.Object({ at: Time, outcome: Type.String(), requests: Type.Integer() })),
});
