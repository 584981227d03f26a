import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { compileRules } from '../../platform/firewall/evaluate.ts';
import type { RuleAction, RuleCondition, ConditionGroup } from '../../platform/firewall/rule.ts';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import { createGateway } from '../gateway.ts';
import { listen } from '../http/listen.ts';
import { createLogger } from '../http/log/log.ts';
import type { TlsOptions } from '../http/tls.ts';
import { TEST_CERTIFICATES } from '../../testing/gateway/certificates.ts';
import { closeServer } from '../server/server.ts';
import { createCountryFinder } from './request/country.ts';
import type { FirewallRecord } from './request/request-context.ts';
import { getRequestContext } from './request/request-context.ts';
import { createInProcessLimiter, type RateLimiter } from '../limits/rate-limiter.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';

let app: FastifyInstance;
let now: number;
let records: (FirewallRecord | null)[];
afterEach(() => closeServer(app));

describe('a deny rule', () => {
  it('answers 403 without counting towards the plan', async () => {
    await open([['no swaps', DENY, [on('path', ['/swap'])]]]);
    expect(await send(PATH)).toEqual({ status: 403, body: BLOCKED, limits: NONE });
    expect(await statusOf('/portfolio/v1/positions/x')).toBe(200);
    expect((await send('/portfolio/v1/positions/x')).limits[1]).toBe('2');
    expect(records[0]).toEqual({ outcome: 'deny', rule: 'no swaps', matched: ['no swaps'] });
    expect(records[1]).toBeNull();
  });

  it('applies to the team’s keys only: not to other teams, callers without a key, or free routes', async () => {
    await open([['nobody', DENY, []]]);
    expect(await statusOf(PATH, 'ci')).toBe(403);
    expect(await statusOf('/nowhere', 'ci')).toBe(403);
    expect(await statusOf(PATH, 'of another team')).toBe(200);
    expect(await statusOf(PATH, null)).toBe(200);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf(PATH, 'unknown')).toBe(401);
  });

  it.each([
    '/swap/v2/build',
    '/%73wap/v2/build',
    '/swap/v2/build?x=1',
    '/swap/v2/build/../build',
    '/swap//v2',
  ])('for /swap matches %s', async (url) => {
    await open([['no swaps', DENY, [on('path', ['/swap'])]]]);
    expect(await statusOf(url)).toBe(403);
  });

  it('for a path with a parameter matches the parameter’s value', async () => {
    await open([['not him', DENY, [on('path', ['/portfolio/v1/positions/abc'])]]]);
    expect(await statusOf('/portfolio/v1/positions/%61bcd')).toBe(403);
    expect(await statusOf('/portfolio/v1/positions/abd')).toBe(200);
  });

  it('matches by method, key and address', async () => {
    await open([
      ['no posts', DENY, [on('method', ['POST', 'HEAD'])]],
      ['not ci', DENY, [on('key', ['ci'])]],
      ['not them', DENY, [on('ip', ['198.51.100.0/24', '2001:db8::/32'])]],
    ]);
    expect(await statusOf({ url: PATH, method: 'POST' })).toBe(403);
    const head = await app.inject({ url: PATH, method: 'HEAD', headers: { 'x-api-key': 'web' } });
    expect(head.statusCode).toBe(403);
    expect(await statusOf(PATH, 'ci')).toBe(403);
    expect(await statusOf({ url: PATH, remoteAddress: '198.51.100.9' })).toBe(403);
    expect(await statusOf({ url: PATH, remoteAddress: '::ffff:198.51.100.9' })).toBe(403);
    expect(await statusOf({ url: PATH, remoteAddress: '2001:db8:1::1' })).toBe(403);
    expect(await statusOf({ url: PATH, remoteAddress: '198.51.101.9' })).toBe(200);
  });

  it('ignores headers about the address unless a trusted proxy sends them', async () => {
    await open([['not them', DENY, [on('ip', ['198.51.100.0/24'])]]], { trustedProxies: ['10.0.0.0/8'] });
    const from = (remoteAddress: string, forwarded: string) =>
      statusOf({ url: PATH, remoteAddress, headers: { 'x-forwarded-for': forwarded } });
    expect(await from('198.51.100.9', '203.0.113.1')).toBe(403);
    expect(await from('203.0.113.1', '198.51.100.9')).toBe(200);
    expect(await from('10.0.0.1', '198.51.100.9')).toBe(403);
    expect(await from('10.0.0.1', '198.51.100.9, 203.0.113.1')).toBe(200);
  });

  it('matches by the country from the database, or from a trusted proxy’s header only', async () => {
    const countries = { '51966,1': 'CH' };
    await open([['not there', DENY, [on('country', ['CH'])]]], { trustedProxies: ['10.0.0.0/8'], countries });
    const from = (remoteAddress: string, country?: string | string[]) =>
      statusOf({
        url: PATH,
        remoteAddress,
        headers: country === undefined ? {} : { 'cf-ipcountry': country },
      });
    expect(await from('202.254.0.1')).toBe(403);
    expect(await from('202.254.0.1', 'US')).toBe(403);
    expect(await from('202.254.0.2', 'CH')).toBe(200);
    expect(await from('10.0.0.1', 'CH')).toBe(403);
    expect(await from('10.0.0.1', 'US')).toBe(200);
    expect(await from('10.0.0.1', 'T1')).toBe(200);
    expect(await from('10.0.0.1')).toBe(200);
  });

  it('matches the host that a client names over HTTP/2, where it sends no header of that name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-firewall-'));
    const [pair] = TEST_CERTIFICATES;
    const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(files.certificate, pair.certificate);
    writeFileSync(files.key, pair.key);
    const tls = { files, every: () => () => {}, onDefect: (error: unknown) => expect(error).toBeNull() };
    await open([['old name', DENY, [on('header', ['old.example'], 'host')]]], { tls });
    const url = new URL(await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' }));
    rmSync(folder, { recursive: true });
    const session = connect(url.href, { rejectUnauthorized: false });
    const statusAt = async (authority: string) => {
      const headers = { ':path': PATH, ':authority': authority, 'x-api-key': 'web' };
      const stream = session.request(headers).end();
      const [answer] = await once(stream, 'response');
      stream.resume();
      return answer[':status'];
    };
    expect(await statusAt('old.example')).toBe(403);
    expect(await statusAt('new.example')).toBe(200);
    session.close();
  });

  it('matches every value of a repeated header', async () => {
    await open([['old app', DENY, [on('header', ['1.0'], 'x-app')]]]);
    const url = new URL(PATH, await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' }));
    const statusWith = (headers: readonly string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        httpRequest(url, { headers: ['x-api-key', 'web', 'host', url.host, ...headers] }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        })
          .on('error', reject)
          .end();
      });
    expect(await statusWith(['X-App', '1.0'])).toBe(403);
    expect(await statusWith(['x-app', '2.0', 'X-APP', '1.0'])).toBe(403);
    expect(await statusWith(['x-app', '1.0 '])).toBe(403);
    expect(await statusWith(['x-app', '1.0.1'])).toBe(200);
    expect(await statusWith([])).toBe(200);
  });
});

describe('a rate limit of the firewall', () => {
  it('answers 429 beyond it, with the headers of its own window', async () => {
    await open([['slow', limit('key'), []]]);
    expect((await send(PATH)).limits).toEqual(['59', '1', String(Math.ceil((START + 60_000) / 1_000))]);
    expect(await statusOf(PATH)).toBe(200);
    const reset = String(Math.ceil((START + 1_000) / 1_000));
    expect(await send(PATH)).toEqual({ status: 429, body: TOO_MANY, limits: ['-1', '3', reset] });
    expect(records.map((record) => record?.outcome)).toEqual(['allow', 'allow', 'limit']);
    const again = await app.inject({ url: PATH, headers: { 'x-api-key': 'web' } });
    expect(again.headers['retry-after']).toBe('1');
    now += 1_000;
    expect(await send(PATH)).toMatchObject({ status: 200, limits: ['57', '3', expect.any(String)] });
  });

  it('counts by key, by address or IPv6 network, or the whole team', async () => {
    const countsApart = async (
      per: 'ip' | 'key' | 'team',
      first: [string, string],
      other: [string, string],
    ) => {
      await open([['slow', limit(per, 60), []]]);
      const from = ([key, remoteAddress]: [string, string]) => statusOf({ url: PATH, remoteAddress }, key);
      for (let index = 0; index < 2; index++) expect(await from(first)).toBe(200);
      expect(await from(first)).toBe(429);
      const apart = (await from(other)) === 200;
      await closeServer(app);
      return apart;
    };
    expect(await countsApart('key', ['web', '10.0.0.1'], ['ci', '10.0.0.1'])).toBe(true);
    expect(await countsApart('key', ['web', '10.0.0.1'], ['web', '10.0.0.2'])).toBe(false);
    expect(await countsApart('ip', ['web', '10.0.0.1'], ['web', '10.0.0.2'])).toBe(true);
    expect(await countsApart('ip', ['web', '10.0.0.1'], ['ci', '10.0.0.1'])).toBe(false);
    expect(await countsApart('ip', ['web', '2001:db8::1'], ['web', '2001:db8::2'])).toBe(false);
    expect(await countsApart('ip', ['web', '2001:db8::1'], ['web', '2001:db8:0:1::1'])).toBe(true);
    expect(await countsApart('team', ['web', '10.0.0.1'], ['ci', '10.0.0.2'])).toBe(false);
    await open([]);
  });

  it('does not count what the plan refuses', async () => {
    await open([['slow', limit('key', 3_600), []]], { planLimit: 1 });
    expect(await statusOf(PATH)).toBe(200);
    for (let refused = 0; refused < 5; refused++) {
      expect((await send(PATH)).body).not.toEqual(TOO_MANY);
    }
    now += 60_000;
    expect(await statusOf(PATH)).toBe(200);
    now += 60_000;
    expect(await send(PATH)).toMatchObject({ status: 429, body: TOO_MANY });
  });

  it('counts from the beginning when its numbers change, and continues otherwise', async () => {
    const limiter = createInProcessLimiter();
    const countsOn = async (action: RuleAction) => {
      await open([['slow', action, []]], { limiter });
      const status = await statusOf(PATH);
      await closeServer(app);
      return status === 429;
    };
    const numbers = { type: 'rate-limit', limit: 1, windowSeconds: 60, per: 'team' } as const;
    expect(await countsOn(numbers)).toBe(false);
    expect(await countsOn(numbers)).toBe(true);
    expect(await countsOn({ ...numbers, windowSeconds: 61 })).toBe(false);
    expect(await countsOn({ ...numbers, limit: 2 })).toBe(false);
    expect(await countsOn({ ...numbers, per: 'key' })).toBe(false);
    await open([]);
  });

  it('waits for a shared limiter', async () => {
    const local = createInProcessLimiter();
    await open([['slow', limit('team'), []]], {
      limiter: { ...local, hit: async (...args) => local.hit(...args) },
    });
    expect([await statusOf(PATH), await statusOf(PATH), await statusOf(PATH)]).toEqual([200, 200, 429]);
  });

  const limit = (per: 'ip' | 'key' | 'team', windowSeconds = 1): RuleAction => ({
    type: 'rate-limit',
    limit: 2,
    windowSeconds,
    per,
  });
});

describe('a bypass rule', () => {
  it('skips the remaining rules, but not the plan’s limit', async () => {
    await open(
      [
        ['nobody', DENY, []],
        ['slow', { type: 'rate-limit', limit: 1, windowSeconds: 60, per: 'team' }, []],
        ['ours', { type: 'bypass' }, [on('ip', ['203.0.113.7'])]],
      ],
      { planLimit: 2 },
    );
    const ours = { url: PATH, remoteAddress: '203.0.113.7' };
    expect(await statusOf(PATH)).toBe(403);
    expect([await statusOf(ours), await statusOf(ours)]).toEqual([200, 200]);
    expect((await send(ours)).body).toEqual({ code: 429, message: '[API Gateway] Too many requests' });
    expect(records[1]).toEqual({ outcome: 'bypass', rule: 'ours', matched: ['nobody', 'slow', 'ours'] });
  });
});

describe('a log rule', () => {
  it('records the match and changes nothing', async () => {
    await open([['watch', { type: 'log' }, [on('path', ['/swap'])]]]);
    expect(await statusOf(PATH)).toBe(200);
    expect(records).toEqual([{ outcome: 'log', rule: 'watch', matched: ['watch'] }]);
  });
});

const START = 1_790_000_000_250;
const BLOCKED = { code: 403, message: 'Request blocked by firewall' };
const TOO_MANY = { code: 429, message: 'Too many requests' };
const PATH = '/swap/v2/build';

type RuleOf = readonly [name: string, action: RuleAction, groups: readonly ConditionGroup[]];

interface Setup {
  readonly limiter?: RateLimiter;
  readonly trustedProxies?: readonly string[];
  readonly planLimit?: number;
  readonly countries?: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions;
}

async function open(rules: readonly RuleOf[], setup: Setup = {}): Promise<void> {
  const {
    limiter = createInProcessLimiter(),
    trustedProxies = [],
    planLimit = 60,
    countries = {},
    tls = null,
  } = setup;
  now = START;
  records = [];
  const set = compileRules(
    rules.map(([name, action, groups], index) => ({
      id: `id of ${name}`,
      name,
      enabled: true,
      groups,
      action,
      createdAt: index,
    })),
  );
  const findKey = (name: string): KnownKey | null =>
    ['web', 'ci', 'of another team'].includes(name)
      ? {
          id: `id of ${name}`,
          name,
          teamId: 't',
          organisationId: 'o',
          rules: name === 'of another team' ? null : set,
          limits: { main: planLimit, execute: planLimit, submit: planLimit },
          products: null,
          expiresAt: null,
        }
      : null;
  const database = (address: readonly number[]) => countries[address.join()] ?? null;
  app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey,
      limiter,
      countryOf: createCountryFinder({ header: 'cf-ipcountry', database, trustedProxies }),
      now: () => now,
    },
    trustedProxies,
    tls,
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: (server) => {
      server.addHook('onResponse', async (request) => {
        records.push(getRequestContext(request).firewall);
      });
      server.get(PATH, async () => ({ ok: true }));
      server.post(PATH, async () => ({ ok: true }));
      server.get('/portfolio/v1/positions/:address', async () => ({ ok: true }));
    },
  });
}

async function send(options: InjectOptions | string, key: string | null = 'web') {
  const given = typeof options === 'string' ? { url: options } : options;
  const headers = { ...given.headers, ...(key === null ? {} : { 'x-api-key': key }) };
  const answer = await app.inject({ url: PATH, ...given, headers });
  const limits = ['remaining', 'current', 'reset'].map((name) => answer.headers[`x-ratelimit-${name}`]);
  return { status: answer.statusCode, body: answer.json(), limits };
}

const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status;
const on = (
  type: RuleCondition['type'],
  values: readonly string[],
  name: string | null = null,
): ConditionGroup => [{ type, name, values }];
const DENY: RuleAction = { type: 'deny' };
const NONE = [undefined, undefined, undefined];
