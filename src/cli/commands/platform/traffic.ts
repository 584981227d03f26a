import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import type { CreditsJson } from '../../../gateway/admin/platform-schema.ts';
import { AnalyticsAnswer, LogAnswer, UsageAnswer } from '../../../gateway/admin/traffic-schema.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { asAnswer, timeText } from '../../admin-client/platform-answers.ts';
import { TIME_FLAGS, timesOf } from './time-flags.ts';

const settings = ADMIN_SETTINGS;

const OF: CommandFlag = {
  name: 'of',
  allowed: 'organisation or organisation/team',
  description: 'Whose requests. All when absent, those without a key included.',
};
const LOG_FILTERS = ['key', 'status', 'method', 'path', 'decision', 'rule', 'limit', 'cursor'] as const;
const LOG_FLAGS: readonly CommandFlag[] = [
  OF,
  ...TIME_FLAGS,
  { name: 'key', allowed: "a key's name", description: 'Which key, of the team that --of names.' },
  { name: 'status', allowed: 'a status such as 404, or 4xx', description: 'Which answers.' },
  { name: 'method', allowed: 'a method', description: 'Which method.' },
  { name: 'path', allowed: 'the beginning of a path', description: 'Which paths.' },
  {
    name: 'decision',
    allowed: 'admitted, unauthorised, no-access, firewall-deny, firewall-limit, plan-limit or unavailable',
    description: 'What became of them before a handler.',
  },
  { name: 'rule', allowed: "a rule's name", description: 'Which firewall rule decided.' },
  { name: 'limit', allowed: 'a whole number', description: 'Most lines. 100 when absent.' },
  { name: 'cursor', allowed: 'what the page before ended with', description: 'The next page.' },
];

export const TRAFFIC_COMMANDS: readonly Command[] = [
  {
    name: 'log list',
    summary: 'List the requests of the last 7 days, or those that flags ask for, the newest first.',
    words: [],
    settings,
    flags: LOG_FLAGS,
    run: async ({ config, flags, write, writeError }) => {
      const query = { ...timesOf(flags, Date.now()), ...picked(flags, LOG_FILTERS) };
      const path = pathOf('log', flags.get('of'), query);
      const { entries, next, dropped } = asAnswer(
        LogAnswer,
        await callAdmin(config, { method: 'GET', path }),
      );
      const rows = entries.map((entry) => [
        timeText(entry.at),
        String(entry.status),
        entry.decision,
        `${entry.method} ${entry.path}`,
        millisecondsText(entry.latency.total),
        String(entry.credits),
        entry.key === null ? entry.client : `${entry.organisation}/${entry.team}/${entry.key}`,
        entry.firewall === null ? '' : `${entry.firewall.rule}: ${entry.firewall.outcome}`,
        entry.requestId,
      ]);
      write(
        renderTable([
          ['time', 'status', 'decision', 'request', 'took', 'credits', 'who', 'firewall', 'id'],
          ...rows,
        ]),
      );
      if (next !== null) writeError(`There is more: --cursor ${next}\n`);
      if (dropped > 0)
        writeError(
          `${dropped} lines were dropped by this instance: too many waited, or too many requests were refused.\n`,
        );
      return 0;
    },
  },
  {
    name: 'log show',
    summary: 'Show all that is known of a request, by the id that its answer carried.',
    words: ['request-id'],
    settings,
    run: async ({ config, words: [requestId = ''], write }) => {
      const path = pathOf('log', undefined, { requestId, since: '0' });
      const { entries } = asAnswer(LogAnswer, await callAdmin(config, { method: 'GET', path }));
      const [entry] = entries;
      if (entry === undefined) throw new OperatorError(`no request ${requestId} is in the log`);
      const { latency, firewall, ...rest } = entry;
      const rows = Object.entries(rest).map(([name, value]) => [
        name,
        value === null ? 'none' : String(value),
      ]);
      const part = (name: string, microseconds: number) => [name, `${microseconds} µs`];
      write(
        renderTable([
          ['answered', timeText(entry.at)],
          ...rows.filter(([name]) => name !== 'at'),
          ['firewall', firewall === null ? 'no rule matched' : `${firewall.rule}: ${firewall.outcome}`],
          ['rules that match', firewall?.matched.join(', ') ?? 'none'],
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
    summary: 'Show what an organisation used in the last 30 days, and its credits of those months.',
    words: ['organisation'],
    settings,
    flags: [
      { name: 'by', allowed: 'day, key or endpoint', description: 'What to add up by. day when absent.' },
      { name: 'team', allowed: "a team's slug", description: 'Only that team.' },
      ...TIME_FLAGS,
    ],
    run: async ({ config, words: [organisation = ''], flags, write }) => {
      const query = { ...timesOf(flags, Date.now()), ...picked(flags, ['by', 'team']) };
      const path = pathOf('usage', organisation, query);
      const { months, rows } = asAnswer(UsageAnswer, await callAdmin(config, { method: 'GET', path }));
      const lines = rows.map(({ of, requests, errors, credits }) => [
        of,
        String(requests),
        String(errors),
        String(credits),
      ]);
      write(renderTable([[flags.get('by') ?? 'day', 'requests', 'errors', 'credits'], ...lines]));
      write(`\n${renderTable(months.flatMap(creditRows))}`);
      return 0;
    },
  },
  {
    name: 'analytics',
    summary: 'Show requests, errors and latencies of the last 24 hours, by the hour or day.',
    words: [],
    settings,
    flags: [OF, { name: 'per', allowed: 'hour or day', description: 'hour when absent.' }, ...TIME_FLAGS],
    run: async ({ config, flags, write }) => {
      const query = { ...timesOf(flags, Date.now()), ...picked(flags, ['per']) };
      const path = pathOf('analytics', flags.get('of'), query);
      write(renderAnalytics(asAnswer(AnalyticsAnswer, await callAdmin(config, { method: 'GET', path }))));
      return 0;
    },
  },
];

/** The lines about credits of an organisation. */
export function creditRows(credits: Static<typeof CreditsJson>): string[][] {
  const { plan, since, used, included, overage } = credits;
  const month = new Date(since).toISOString().slice(0, 7);
  const of = included === null ? 'not bounded' : `of ${included}`;
  return [
    [`credits in ${month}`, `${used} ${of}`],
    ...(overage === 0 ? [] : [[`beyond the plan ${plan} in ${month}`, String(overage)]]),
  ];
}

type Answer = Static<typeof AnalyticsAnswer>;

function renderAnalytics({ total, series, endpoints, keys, firewall }: Answer): string {
  const head = ['requests', '4xx', '5xx', 'credits'];
  const quantiles = ['p50', 'p90', 'p95', 'p99'];
  const sums = (row: Pick<Answer['total'], 'requests' | 'clientErrors' | 'serverErrors' | 'credits'>) =>
    [row.requests, row.clientErrors, row.serverErrors, row.credits].map(String);
  const times = ({ p50, p90, p95, p99 }: Answer['total']['latency']) =>
    [p50, p90, p95, p99].map((time) => (time === null ? '-' : millisecondsText(time)));
  const tables = [
    [
      ['time', ...head, ...quantiles],
      ...series.map((row) => [timeText(row.at), ...sums(row), ...times(row.latency)]),
      ['all', ...sums(total), ...times(total.latency)],
    ],
    [
      ['endpoint', ...head, ...quantiles],
      ...endpoints.map((row) => [row.endpoint || 'none', ...sums(row), ...times(row.latency)]),
    ],
    [['key', ...head], ...keys.map((row) => [row.key || 'none', ...sums(row)])],
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

/** @param of whose: an organisation, or one of its teams as `acme/web`; absent: everybody's */
function pathOf(what: string, of: string | undefined, query: Readonly<Record<string, string>>): string {
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
