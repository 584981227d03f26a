import { setTimeout as sleep } from 'node:timers/promises';
import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { AskOptions, World } from '../world.ts';

const LABELS = '/swap/v2/program-id-to-label';
const MAX_ATTEMPTS = 40;

// biome-ignore lint/suspicious/noExplicitAny: a wrong shape is a finding.
type Entry = any;

/** A new organisation whose requests alone are in its log. */
async function organisationWithLog(world: World) {
  const { slug, team, key } = await world.newOrganisation();
  const path = `/admin/v1/organisations/${slug}/log`;
  const list = async (query = ''): Promise<Entry[]> =>
    (await world.admin('GET', `${path}?${query}`)).json?.entries ?? [];
  /** A request is logged once its answer was sent, which may be after the client has it. */
  const after = async (count: number): Promise<Entry[]> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const entries = await list();
      if (entries.length >= count) return entries;
      await sleep(25);
    }
    throw new Error(`the log has fewer than ${count} entries`);
  };
  return { slug, team, key, path, list, after };
}

/** Returns the log's entry of one request, and its answer. */
async function logged(world: World, path: string, options: AskOptions = {}) {
  const { key, after } = await organisationWithLog(world);
  const answer = await world.ask(path, { ...options, key });
  const [entry] = await after(1);
  return { entry, answer };
}

const FIELDS = [
  ...['at', 'requestId', 'client', 'country', 'asn', 'host', 'referrer', 'userAgent', 'method', 'path'],
  ...['query', 'status', 'bytesSent', 'bytesReceived', 'credits', 'latency', 'firewall', 'endpoint'],
];

const fields: readonly Statement[] = [
  {
    id: 'log/fields',
    says: 'An entry has every field of the contract.',
    check: async (world) => {
      const { entry } = await logged(world, LABELS);
      const missing = FIELDS.filter((name) => entry[name] === undefined);
      return unless(missing.length === 0, { missing });
    },
  },
  {
    id: 'log/request-id',
    says: "An entry carries the answer's x-api-gateway-request-id.",
    check: async (world) => {
      const { entry, answer } = await logged(world, LABELS);
      const id = answer.headers.get('x-api-gateway-request-id');
      return unless(entry.requestId === id, { entry: entry.requestId, id });
    },
  },
  {
    id: 'log/as-sent',
    says: 'Host, referrer and user agent are logged as they were sent.',
    check: async (world) => {
      const headers = { 'user-agent': 'conformance/1.0 (test)', referer: 'https://example.org/page' };
      const { host, referrer, userAgent } = (await logged(world, LABELS, { headers })).entry;
      const isSent =
        host === new URL(world.restUrl).host &&
        referrer === headers.referer &&
        userAgent === headers['user-agent'];
      return unless(isSent, { host, referrer, userAgent });
    },
  },
  {
    id: 'log/query',
    says: 'The query is logged, with secrets masked.',
    check: async (world) => {
      const { entry } = await logged(world, `${LABELS}?wallet=abc&api-key=hidden&x=jup_${'0a'.repeat(32)}`);
      const query = 'wallet=abc&api-key=[redacted]&x=jup_[redacted]';
      return unless(entry.query === query && entry.path === LABELS, { path: entry.path, query: entry.query });
    },
  },
  {
    id: 'log/bytes',
    says: 'The bytes of the bodies, sent and received, are logged.',
    check: async (world) => {
      const body = { requestId: 'x', signedTransaction: 'AA==' };
      const { entry, answer } = await logged(world, '/swap/v2/execute', { method: 'POST', body });
      const [sent, received] = [answer.text, JSON.stringify(body)].map((text) => Buffer.byteLength(text));
      const { bytesSent, bytesReceived } = entry;
      return unless(bytesSent === sent && bytesReceived === received, { bytesSent, sent, bytesReceived });
    },
  },
  {
    id: 'log/latency',
    says: 'The latency is logged as a total and its parts, which add up to it.',
    check: async (world) => {
      const { total, gateway, handler, send } = (await logged(world, LABELS)).entry.latency;
      const parts = gateway + handler + send;
      return unless(total > 0 && parts === total, { total, gateway, handler, send });
    },
  },
  {
    id: 'log/refused',
    says: 'A request that the firewall refused is logged with the outcome and the rules that matched.',
    check: async (world) => {
      const { slug, team, key, after } = await organisationWithLog(world);
      await world.admin('POST', `/admin/v1/organisations/${slug}/teams/${team}/rules`, {
        name: 'no',
        groups: [[{ type: 'method', values: ['GET'] }]],
        action: { type: 'deny' },
      });
      await world.ask(LABELS, { key });
      const [entry] = await after(1);
      const { outcome, rule, matched } = entry.firewall ?? {};
      const isRefused = entry.status === 403 && outcome === 'deny' && rule === 'no' && matched?.[0] === 'no';
      return unless(isRefused, entry);
    },
  },
  {
    id: 'log/no-keys',
    says: 'No key is in the log.',
    check: async (world) => {
      const { key, path } = await organisationWithLog(world);
      await world.ask(`${LABELS}?leaked=${key}`, { key, headers: { referer: `https://e.org/${key}` } });
      await sleep(50);
      const { text } = await world.admin('GET', path);
      return unless(!text.includes(key.slice(-32)) && text.includes('[redacted]'), text);
    },
  },
];

/** Requests whose answers differ, in the order in which they are sent. */
const SENT: readonly (readonly [path: string, options?: AskOptions])[] = [
  [LABELS],
  ['/swap/v2/order?amount=x'],
  ['/price/v3'],
  ['/swap/v2/execute', { method: 'POST', body: {} }],
  ['/swap/v1/quote'],
];

function finds(id: string, query: string, paths: readonly string[]): Statement {
  return {
    id: `log/filter-${id}`,
    says: `The log can be filtered with \`${query}\`.`,
    check: async (world) => {
      const { key, after, list } = await organisationWithLog(world);
      for (const [path, options] of SENT) await world.ask(path, { ...options, key });
      await after(SENT.length);
      const found = (await list(query)).map(({ path }) => path).sort();
      return unless(JSON.stringify(found) === JSON.stringify([...paths].sort()), found);
    },
  };
}

export const logStatements: readonly Statement[] = [
  ...fields,
  finds('status', 'status=200', [LABELS]),
  finds('status-class', 'status=4xx&method=GET', ['/swap/v2/order', '/price/v3', '/swap/v1/quote']),
  finds('method', 'method=POST', ['/swap/v2/execute']),
  finds('group', 'group=price', ['/price/v3']),
  finds('group-of-versions', 'group=swap&status=200', [LABELS]),
  finds('path', 'path=/swap/v1', ['/swap/v1/quote']),
  {
    id: 'log/pages',
    says: 'Entries are listed newest first, and a cursor continues without repeating or losing one.',
    check: async (world) => {
      const { key, after, path } = await organisationWithLog(world);
      for (const [sent, options] of SENT) await world.ask(sent, { ...options, key });
      const all = (await after(SENT.length)).map(({ requestId }) => requestId);
      const first = (await world.admin('GET', `${path}?limit=3`)).json;
      const second = (await world.admin('GET', `${path}?limit=3&cursor=${first.next}`)).json;
      const paged = [...first.entries, ...second.entries];
      const isSorted = paged.every(({ at }, index) => index === 0 || at <= paged[index - 1].at);
      const ids = paged.map(({ requestId }) => requestId);
      return unless(isSorted && second.next === null && `${ids}` === `${all}`, { all, ids });
    },
  },
  {
    id: 'log/of-team',
    says: 'A team sees its own requests only.',
    check: async (world) => {
      const { slug, key, after, list } = await organisationWithLog(world);
      await world.admin('POST', `/admin/v1/organisations/${slug}/teams`, { slug: 'other' });
      await world.ask(LABELS, { key });
      await after(1);
      const [own, other] = [await list('team=team'), await list('team=other')];
      return unless(own.length === 1 && other.length === 0, { own: own.length, other: other.length });
    },
  },
  {
    id: 'log/health-not-logged',
    says: 'Asking for health is not logged.',
    check: async (world) => {
      const { key, after } = await organisationWithLog(world);
      await world.ask('/health', { key });
      await world.ask(LABELS, { key });
      const entries = await after(1);
      return unless(entries.length === 1 && entries[0].path === LABELS, entries);
    },
  },
];
