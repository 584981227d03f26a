import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import type { CreditsJson } from '../../../gateway/admin/platform/platform-schema.ts';
import {
  AnalyticsAnswer,
  LogAnswer,
  type LogEntry,
  UsageAnswer,
} from '../../../gateway/admin/traffic/traffic-schema.ts';
import { FIREWALL_OUTCOMES } from '../../../platform/traffic/log/request-entry.ts';
import { BUCKET_NAMES } from '../../../platform/traffic/analytics.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { followLog } from '../../admin-client/follow-log.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { checkAnswer, formatTimeOrNever } from '../../admin-client/platform-answers.ts';
import { TIME_FLAGS, parseTimeFlags } from './time-flags.ts';
import { PAGE_FLAGS, writeNextPage } from './page-flags.ts';

const settings = ADMIN_SETTINGS;

const OF_FLAG: CommandFlag = {
  name: 'of',
  allowed: 'organisation or organisation/team',
  description: 'Whose requests to show. Default: all, including those without a key.',
};
/** The flags that select requests of the log. Each is also a query parameter. */
const FILTER_FLAGS: readonly CommandFlag[] = [
  {
    name: 'key',
    allowed: "a key's name",
    description: 'Only requests with this key of the team that --of names.',
  },
  { name: 'status', allowed: 'a status such as 404, or 4xx', description: 'Only answers with this status.' },
  { name: 'method', allowed: 'a method', description: 'Only requests with this method.' },
  { name: 'path', allowed: 'the beginning of a path', description: 'Only requests whose path begins so.' },
  {
    name: 'group',
    allowed: 'the first part of a path, such as swap',
    description: 'Only requests to this API.',
  },
  {
    name: 'decision',
    allowed: 'admitted, unauthorised, no-access, firewall-deny, firewall-limit, plan-limit or unavailable',
    description: 'Only requests with this decision of the gateway.',
  },
  { name: 'rule', allowed: "a rule's name", description: 'Only requests that this firewall rule decided.' },
  {
    name: 'matched',
    allowed: "a rule's name",
    description: 'Only requests that this firewall rule matched.',
  },
  {
    name: 'outcome',
    allowed: FIREWALL_OUTCOMES.join(', '),
    description: 'Only requests with this outcome of the firewall.',
  },
  {
    name: 'client',
    allowed: 'an IPv4 address or an IPv6 /64 network',
    description: 'Only requests of this client.',
  },
  {
    name: 'country',
    allowed: 'an ISO 3166 code, or unknown',
    description: 'Only requests from this country.',
  },
  {
    name: 'endpoint',
    allowed: 'a route, or none',
    description: 'Only requests that this route answered.',
  },
  { name: 'order', allowed: 'the id of an order', description: 'Only requests about this order.' },
];

const listFlagNames = (flags: readonly CommandFlag[]) => flags.map(({ name }) => name);

export const TRAFFIC_COMMANDS: readonly Command[] = [
  {
    name: 'log list',
    summary: 'List requests, newest first. Default: those of the last 7 days.',
    words: [],
    settings,
    flags: [OF_FLAG, ...TIME_FLAGS, ...FILTER_FLAGS, ...PAGE_FLAGS],
    run: async ({ config, flags, write, writeError }) => {
      const names = listFlagNames([...FILTER_FLAGS, ...PAGE_FLAGS]);
      const query = { ...parseTimeFlags(flags, Date.now()), ...picked(flags, names) };
      const path = toTrafficPath('log', flags.get('of'), query);
      const { entries, next, dropped } = checkAnswer(
        LogAnswer,
        await callAdmin(config, { method: 'GET', path }),
      );
      write(renderTable([LOG_COLUMNS, ...entries.map(entryRow)]));
      writeNextPage(next, writeError);
      if (dropped > 0)
        writeError(
          `${dropped} lines were dropped by this instance: too many waited, or too many requests were refused.\n`,
        );
      return 0;
    },
  },
  {
    name: 'log tail',
    summary: 'Show requests to the instance as they are answered, until Ctrl-C.',
    words: [],
    settings,
    flags: [OF_FLAG, ...FILTER_FLAGS],
    run: async ({ config, flags, write, writeError, interrupted }) => {
      const path = toTrafficPath('log/live', flags.get('of'), picked(flags, listFlagNames(FILTER_FLAGS)));
      let isFollowing = false;
      for await (const { entries, missed, ended } of followLog(config, path, interrupted())) {
        if (!isFollowing) writeError('Following the requests to this instance; Ctrl-C ends.\n');
        isFollowing = true;
        for (const entry of entries) write(`${entryRow(entry).join('  ')}\n`);
        if (missed > 0) {
          writeError(
            `${missed} requests are not shown here, because they came faster than they were read.\n`,
          );
        }
        if (ended !== null) throw new OperatorError(`the log ends here: ${ended}`);
      }
      return 0;
    },
  },
  {
    name: 'log show',
    summary: 'Show everything about a request, by the id in its answer.',
    words: ['request-id'],
    settings,
    run: async ({ config, words: [requestId = ''], write }) => {
      const path = toTrafficPath('log', undefined, { requestId, since: '0' });
      const { entries } = checkAnswer(LogAnswer, await callAdmin(config, { method: 'GET', path }));
      const [entry] = entries;
      if (entry === undefined) throw new OperatorError(`no request ${requestId} is in the log`);
      const { latency, firewall, order, ...rest } = entry;
      const rows = Object.entries(rest).map(([name, value]) => [
        name,
        value === null ? 'none' : String(value),
      ]);
      const part = (name: string, microseconds: number) => [name, `${microseconds} µs`];
      write(
        renderTable([
          ['answered', formatTimeOrNever(entry.at)],
          ...rows.filter(([name]) => name !== 'at'),
          ['firewall', firewall === null ? 'no rule matched' : `${firewall.rule}: ${firewall.outcome}`],
          ['rules that match', firewall?.matched.join(', ') ?? 'none'],
          ...(order === null
            ? []
            : [
                ['order', order.requestId],
                ['router', order.router || 'not known'],
                ...(order.code === null ? [] : [['code', String(order.code)]]),
                ...(order.signature === '' ? [] : [['signature', order.signature]]),
              ]),
          part('gateway', latency.gateway),
          part('handler', latency.handler),
          part('sending', latency.send),
        ]),
      );
      return 0;
    },
  },
  {
    name: 'usage',
    summary:
      'Show the usage of an organisation, by default of the last 30 days, and its credits of those months.',
    words: ['organisation'],
    settings,
    flags: [
      { name: 'by', allowed: 'day, key or endpoint', description: 'What each line adds up. Default: day.' },
      { name: 'team', allowed: "a team's slug", description: 'Only this team.' },
      ...TIME_FLAGS,
    ],
    run: async ({ config, words: [organisation = ''], flags, write }) => {
      const query = { ...parseTimeFlags(flags, Date.now()), ...picked(flags, ['by', 'team']) };
      const path = toTrafficPath('usage', organisation, query);
      const { months, rows } = checkAnswer(UsageAnswer, await callAdmin(config, { method: 'GET', path }));
      const lines = rows.map(({ of, requests, errors, credits }) => [
        of,
        String(requests),
        String(errors),
        String(credits),
      ]);
      write(renderTable([[flags.get('by') ?? 'day', 'requests', 'errors', 'credits'], ...lines]));
      write(`\n${renderTable(months.flatMap(toCreditRows))}`);
      return 0;
    },
  },
  {
    name: 'analytics',
    summary: 'Show requests, errors and latencies over time, by default of the last 24 hours.',
    words: [],
    settings,
    flags: [
      OF_FLAG,
      {
        name: 'per',
        allowed: BUCKET_NAMES.join(', '),
        description: 'What a line adds up. Default: it depends on the length of the range.',
      },
      ...TIME_FLAGS,
    ],
    run: async ({ config, flags, write }) => {
      const query = { ...parseTimeFlags(flags, Date.now()), ...picked(flags, ['per']) };
      const path = toTrafficPath('analytics', flags.get('of'), query);
      write(renderAnalytics(checkAnswer(AnalyticsAnswer, await callAdmin(config, { method: 'GET', path }))));
      return 0;
    },
  },
];

const LOG_COLUMNS = ['time', 'status', 'decision', 'request', 'took', 'credits', 'who', 'firewall', 'id'];

/** Returns the cells of a request under `LOG_COLUMNS`. */
function entryRow(entry: Static<typeof LogEntry>): string[] {
  return [
    formatTimeOrNever(entry.at),
    String(entry.status),
    entry.decision,
    `${entry.method} ${entry.path}`,
    millisecondsText(entry.latency.total),
    String(entry.credits),
    entry.key === null ? entry.client : `${entry.organisation}/${entry.team}/${entry.key}`,
    entry.firewall === null ? '' : `${entry.firewall.rule}: ${entry.firewall.outcome}`,
    entry.requestId,
  ];
}

/** Returns the table rows about the credits of an organisation in a month. */
export function toCreditRows(credits: Static<typeof CreditsJson>): string[][] {
  const { plan, since, used, included, overage } = credits;
  const month = new Date(since).toISOString().slice(0, 7);
  const of = included === null ? 'not bounded' : `of ${included}`;
  return [
    [`credits in ${month}`, `${used} ${of}`],
    ...(overage === 0 ? [] : [[`beyond the plan ${plan} in ${month}`, String(overage)]]),
  ];
}

type AnalyticsReport = Static<typeof AnalyticsAnswer>;

function renderAnalytics(answer: AnalyticsReport): string {
  const { total, previous, series, endpoints, keys, statuses, countries, firewall } = answer;
  const head = ['requests', '4xx', '5xx', 'credits'];
  const quantiles = ['p50', 'p90', 'p95', 'p99'];
  const sums = (
    row: Pick<AnalyticsReport['total'], 'requests' | 'clientErrors' | 'serverErrors' | 'credits'>,
  ) => [row.requests, row.clientErrors, row.serverErrors, row.credits].map(String);
  const times = ({ p50, p90, p95, p99 }: AnalyticsReport['total']['latency']) =>
    [p50, p90, p95, p99].map((time) => (time === null ? '-' : millisecondsText(time)));
  const tables = [
    [
      ['time', ...head, ...quantiles],
      ...series.map((row) => [formatTimeOrNever(row.at), ...sums(row), ...times(row.latency)]),
      ['all', ...sums(total), ...times(total.latency)],
      ['as long before', ...sums(previous), ...times(previous.latency)],
    ],
    [
      ['endpoint', ...head, ...quantiles],
      ...endpoints.map((row) => [row.endpoint || 'none', ...sums(row), ...times(row.latency)]),
    ],
    [['key', ...head], ...keys.map((row) => [row.key || 'none', ...sums(row)])],
    [['status', 'requests'], ...statuses.map(({ status, requests }) => [String(status), String(requests)])],
    [
      ['country', 'requests'],
      ...countries.map(({ country, requests }) => [country ?? 'unknown', String(requests)]),
    ],
    [
      ['rule', 'outcome', 'requests'],
      ...firewall.map(({ team, rule, outcome, requests }) => [`${team}/${rule}`, outcome, String(requests)]),
    ],
  ];
  return tables
    .filter((table) => table.length > 1)
    .map(renderTable)
    .join('\n');
}

function millisecondsText(microseconds: number): string {
  return `${(microseconds / 1_000).toFixed(1)} ms`;
}

/** @param of - An organisation, or a team as `acme/web`; undefined for all organisations. */
function toTrafficPath(
  what: string,
  of: string | undefined,
  query: Readonly<Record<string, string>>,
): string {
  const [organisation = '', team, ...rest] = (of ?? '').split('/');
  if (of !== undefined && (organisation === '' || team === '' || rest.length > 0)) {
    throw new UsageError(`${JSON.stringify(of)} must be ORGANISATION or ORGANISATION/TEAM`);
  }
  const parameters = new URLSearchParams({ ...query, ...(team === undefined ? {} : { team }) });
  const whose = of === undefined ? '' : `organisations/${encodeURIComponent(organisation)}/`;
  return `${whose}${what}?${parameters}`;
}

function picked(
  flags: ReadonlyMap<string, string>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries([...flags].filter(([name]) => names.includes(name)));
}
