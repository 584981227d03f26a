import { Type } from 'typebox';
import { DECISIONS, FIREWALL_OUTCOMES } from '../../../platform/traffic/log/request-entry.ts';
import { BUCKET_NAMES } from '../../../platform/traffic/analytics.ts';
import { USAGE_GROUPS } from '../../../platform/traffic/usage.ts';
import { CreditsJson, KeyName, Next, page, Slug, Time } from '../platform/platform-schema.ts';

const closed = { additionalProperties: false };
const text = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }));
const createOptionalEnum = <T extends string>(names: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T>(Type.Enum([...names], { description })));
const times = (absent: string) => ({
  since: Type.Optional(Type.Integer({ ...Time, description: `Unix milliseconds; ${absent} when absent.` })),
  until: Type.Optional(Type.Integer({ ...Time, description: 'Unix milliseconds; now when absent.' })),
});

const filters = {
  requestId: text('The `x-api-gateway-request-id` of the answer.'),
  status: text('A status or a class, such as 404 or 4xx.'),
  method: text('Such as GET.'),
  path: text('The beginning of the path.'),
  group: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9-]{1,32}$',
      description: 'The API: the first part of the path, such as swap or price.',
    }),
  ),
  decision: createOptionalEnum(DECISIONS, 'Whether the request was admitted, or what refused it.'),
  rule: text('The name of the firewall rule that decided.'),
  matched: text('The name of a firewall rule that matched, whether it decided or not.'),
  outcome: createOptionalEnum(FIREWALL_OUTCOMES, 'What the firewall did.'),
  client: text('The address of the client as entries have it: of IPv6, the /64 network.'),
  country: Type.Optional(
    Type.String({
      pattern: '^([A-Z]{2}|unknown)$',
      description: 'The ISO 3166 code of the country of the client, or `unknown`.',
    }),
  ),
  endpoint: text('The route that answered, as an entry shows it; `none`: no route did.'),
  order: text('The id of the order that the request gave out or executed.'),
};
const inOrganisation = {
  team: Type.Optional(
    Type.String({ ...Slug, description: 'The slug of a team; the id of one that was deleted.' }),
  ),
  key: Type.Optional(
    Type.String({
      ...KeyName,
      description: 'The name of a key of the team; the id of one that was deleted.',
    }),
  ),
};
const inInstance = {
  organisation: Type.Optional(
    Type.String({ ...Slug, description: 'The slug of an organisation; the id of one that was deleted.' }),
  ),
  team: inOrganisation.team,
  key: Type.Optional(
    Type.String({
      ...KeyName,
      description:
        'The name of a key of the team; the id of one that was deleted. Without a team, `none`: requests without a valid key.',
    }),
  ),
};
const pages = { ...times('7 days ago'), ...page };
export const LogQuery = Type.Object({ ...filters, ...pages, ...inInstance }, closed);
export const OrganisationLogQuery = Type.Object({ ...filters, ...pages, ...inOrganisation }, closed);
export const LiveLogQuery = Type.Object({ ...filters, ...inInstance }, closed);
export const OrganisationLiveLogQuery = Type.Object({ ...filters, ...inOrganisation }, closed);

const Microseconds = Type.Integer({ description: 'Microseconds.' });
export const LogEntry = Type.Object({
  at: Time,
  requestId: Type.String(),
  organisation: Type.Union([Type.String(), Type.Null()], { description: 'Null without a valid key.' }),
  team: Type.Union([Type.String(), Type.Null()]),
  key: Type.Union([Type.String(), Type.Null()]),
  client: Type.String({ description: 'An IPv4 address or an IPv6 /64 network.' }),
  country: Type.Union([Type.String(), Type.Null()], {
    description: 'An ISO 3166 code; null if it is unknown.',
  }),
  asn: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The number of the autonomous system of the client; null if it is unknown.',
  }),
  host: Type.String(),
  referrer: Type.String({ description: 'Without its query.' }),
  userAgent: Type.String(),
  method: Type.String(),
  path: Type.String(),
  query: Type.String({ description: 'Without the question mark; secrets are replaced by `[redacted]`.' }),
  endpoint: Type.String({ description: 'The route that answered; empty if there is none.' }),
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
  bytesReceived: Type.Integer({ description: 'Bytes of the body of the request.' }),
  bytesSent: Type.Integer({ description: 'Bytes of the body of the answer.' }),
  order: Type.Union(
    [
      Type.Object({
        requestId: Type.String({ description: 'The id of the order, for `/admin/v1/orders/{order}`.' }),
        router: Type.String({ description: 'Empty if no such order is known.' }),
        code: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The code of the execution; null if the request gave the order out.',
        }),
        signature: Type.String({ description: 'Empty while the fee payer has not signed.' }),
      }),
      Type.Null(),
    ],
    { description: 'The order that the request gave out or executed.' },
  ),
  latency: Type.Object({
    total: Microseconds,
    gateway: Type.Integer({ description: 'Microseconds until the handler began.' }),
    handler: Type.Integer({ description: 'Microseconds until the handler answered.' }),
    send: Type.Integer({ description: 'Microseconds until the answer was sent.' }),
  }),
});
export const LogAnswer = Type.Object({
  entries: Type.Array(LogEntry, { description: 'Newest first.' }),
  next: Next,
  dropped: Type.Integer({
    description:
      'Entries that this instance dropped, because too many waited to be written or too many requests were refused.',
  }),
});
/** One line of a log that is followed. */
export const LiveLogLine = Type.Object({
  entries: Type.Array(LogEntry, { description: 'Oldest first.' }),
  missed: Type.Integer({
    description: 'Entries after these that are not shown, because the client did not take them fast enough.',
  }),
  ended: Type.Union([Type.String(), Type.Null()], {
    description: 'Why this is the last line; null if more follow.',
  }),
});

export const UsageQuery = Type.Object(
  {
    ...times('30 days ago'),
    by: createOptionalEnum(USAGE_GROUPS, 'day when absent.'),
    team: Type.Optional(Slug),
  },
  closed,
);
const counts = { requests: Type.Integer(), credits: Type.Integer() };
export const UsageAnswer = Type.Object({
  month: CreditsJson,
  months: Type.Array(CreditsJson, {
    description:
      'The calendar months that overlap the requested range, newest first, twelve at most. Each is judged by the plan in force at its end.',
  }),
  rows: Type.Array(
    Type.Object({
      of: Type.String({
        description: 'A day as 2026-01-31, the name of a key (its id, if it was deleted), or an endpoint.',
      }),
      team: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'The team of the key, with `by=key` only; null: the key was deleted.',
        }),
      ),
      ...counts,
      errors: Type.Integer({ description: 'Answers with a status of 400 or above.' }),
    }),
  ),
});

const analyticsFilters = {
  ...times('24 hours ago'),
  per: createOptionalEnum(
    BUCKET_NAMES,
    'How long an element of the series is. When absent, by the length of the range: a minute up to an hour, a quarter of an hour up to a day, 6 hours up to 7 days, 12 hours up to 30 days, and a day beyond.',
  ),
};
export const AnalyticsQuery = Type.Object(analyticsFilters, closed);
export const OrganisationAnalyticsQuery = Type.Object(
  { ...analyticsFilters, team: Type.Optional(Slug) },
  closed,
);
const Quantile = Type.Union([Type.Number(), Type.Null()]);
const latency = Type.Object(
  { p50: Quantile, p90: Quantile, p95: Quantile, p99: Quantile },
  {
    description:
      'Latency of admitted requests in microseconds, within 1/32 of the exact value; null: there were none.',
  },
);
const traffic = { ...counts, clientErrors: Type.Integer(), serverErrors: Type.Integer() };
const Share = Type.Union([Type.Number(), Type.Null()]);
const total = { ...traffic, errorShare: Share, latency };
const Change = Type.Union([Type.Number(), Type.Null()], {
  description: 'Against the range before: 0.25 is a quarter more. Null: there was nothing before.',
});
export const AnalyticsAnswer = Type.Object({
  bucketMinutes: Type.Integer({ description: 'How many minutes an element of the series stands for.' }),
  range: Type.Object(
    { since: Time, until: Time },
    {
      description:
        'What is counted: `since` is the start of an element, `until` the end of a minute or hour.',
    },
  ),
  previousRange: Type.Object(
    { since: Time, until: Time },
    { description: 'The range of the same length before, which ends where the range begins.' },
  ),
  countedSince: Type.Union([Time, Type.Null()], {
    description:
      'The first hour of which counts of this instance are kept; null: there are none. A range before it is not known.',
  }),
  total: Type.Object(total),
  previous: Type.Object(total, { description: 'The total of the range of the same length before.' }),
  change: Type.Object({
    requests: Change,
    errors: Change,
    errorShare: Change,
    credits: Change,
    p50: Change,
    p95: Change,
    p99: Change,
  }),
  series: Type.Array(Type.Object({ at: Time, ...traffic, latency }), {
    description: 'In order; a time without requests has no element.',
  }),
  previousSeries: Type.Array(Type.Object({ at: Time, ...traffic, latency }), {
    description:
      'The range before in the same way. Its elements begin as long after its beginning as those of the series do after theirs.',
  }),
  endpoints: Type.Array(Type.Object({ endpoint: Type.String(), ...traffic, latency }), {
    description:
      'The paths with the most requests. A path is the one of the route: `/positions/:address` stands for all addresses.',
  }),
  keys: Type.Array(
    Type.Object({
      organisation: Type.Union([Type.String(), Type.Null()], { description: 'Null without a valid key.' }),
      team: Type.Union([Type.String(), Type.Null()]),
      key: Type.String({ description: 'Empty: requests without a valid key.' }),
      ...traffic,
    }),
  ),
  statuses: Type.Array(Type.Object({ status: Type.Integer(), requests: Type.Integer() })),
  countries: Type.Array(
    Type.Object({ country: Type.Union([Type.String(), Type.Null()]), requests: Type.Integer() }),
    { description: 'Those with the most requests; null: the country is unknown.' },
  ),
  firewall: Type.Array(
    Type.Object({
      organisation: Type.String(),
      team: Type.String(),
      rule: Type.String(),
      outcome: Type.String({
        description: '`matched`, or the outcome if the rule decided: bypass, deny, limit, allow, log.',
      }),
      requests: Type.Integer(),
    }),
  ),
  firewallSeries: Type.Array(Type.Object({ at: Time, outcome: Type.String(), requests: Type.Integer() })),
});
