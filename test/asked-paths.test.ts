import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANDING_PATH, PRODUCTS } from '../src/app/products.ts';
import { ExtraPorts } from '../src/gateway/http/extra-ports.ts';
import { listen } from '../src/gateway/http/listen.ts';
import type { KnownKey } from '../src/platform/callers/key-cache.ts';
import { compileRules, evaluate } from '../src/platform/firewall/evaluate.ts';
import { parseRequestedPath } from '../src/platform/firewall/requested-path.ts';
import type { RuleAction } from '../src/platform/firewall/rule.ts';
import type { RequestEntry } from '../src/platform/traffic/log/request-entry.ts';
import { openStubGateway, REACHED, SERVED_PATHS as ALL_PATHS } from './stub-products.ts';

const SERVED_PATHS = ALL_PATHS.filter(({ isOpen }) => !isOpen);
const OPEN_PATHS = ALL_PATHS.filter(({ isOpen }) => isOpen);

let app: FastifyInstance;
let landingUrl: string;
beforeAll(setUp);
afterAll(() => app?.close());

describe('rules', () => {
  it.each(SERVED_PATHS)(
    'judge $method $path by the path that was asked',
    async ({ method, url, path, others }) => {
      const product = `/${url.split('/')[1]}`;
      for (const prefix of [product, url]) {
        for (const spelled of spellings(url)) {
          expect(await ask(method, spelled, `deny ${prefix}`), spelled).toMatchObject({
            status: 403,
            message: BLOCKED,
            entry: { endpoint: path, decision: 'firewall-deny', firewall: { rule: prefix } },
          });
          expect(isDeniedByTool(prefix, method, spelled), spelled).toBe(true);
        }
      }
      for (const other of others.filter((each) => !url.startsWith(each))) {
        expect(await ask(method, url, `deny ${other}`)).toMatchObject({
          status: REACHED,
          entry: { path: url, endpoint: path, decision: 'admitted', firewall: null },
        });
        expect(isDeniedByTool(other, method, url)).toBe(false);
      }
    },
  );

  it.each(WITH_ALIASES)('count $method $path by the path that was asked', async ({ method, url, others }) => {
    const key = `limit ${url}`;
    for (const other of others.filter((each) => !each.startsWith(url))) {
      expect((await ask(method, other, key)).entry?.firewall).toBeNull();
    }
    expect((await ask(method, url, key)).entry).toMatchObject({ decision: 'admitted' });
    expect(await ask(method, url, key)).toMatchObject({
      status: 429,
      entry: { decision: 'firewall-limit', path: url },
    });
  });

  it.each([
    '/Ultra/v1/order',
    '//ultra/v1/order',
    '/ultra/v1/order/',
    '/ultra%2Fv1/order',
    '/ultra/v1/order;x',
  ])('need not stop %s, which is no path', async (url) => {
    expect((await ask('GET', url, 'deny /price')).status).toBe(404);
  });

  it('judge requests with another method, and requests for paths that do not exist', async () => {
    for (const url of ['/ultra/v1/order', '/ultra/v1/nothing', '/%75ltra/v1/nothing']) {
      expect(await ask('POST', url, 'deny /ultra'), url).toMatchObject({ status: 403, message: BLOCKED });
    }
  });

  it('judge the landing port by the path that the REST port has for it', async () => {
    expect(await askLanding('deny /tx')).toMatchObject({
      status: 403,
      message: BLOCKED,
      entry: { path: LANDING_PATH, endpoint: LANDING_PATH },
    });
    expect(await askLanding('deny /swap')).toMatchObject({ status: REACHED });
  });
});

describe('a key that is confined to a product', () => {
  it.each(SERVED_PATHS)(
    'opens $method $path if it is below a path of the product',
    async ({ method, path, url }) => {
      for (const { name, basePaths } of PRODUCTS) {
        const isCovered = basePaths.some((base) => path === base || path.startsWith(`${base}/`));
        expect(await ask(method, url, `only ${name}`), name).toMatchObject(
          isCovered
            ? { status: REACHED }
            : { status: 403, message: NO_ACCESS, entry: { decision: 'no-access' } },
        );
      }
    },
  );

  it.each(OPEN_PATHS)(
    'opens $method $path, which is open to everybody, and nothing records it',
    async (one) => {
      entries.length = 0;
      for (const key of ['', 'only swap', `deny ${one.url}`, `limit ${one.url}`, `limit ${one.url}`]) {
        const answer = await app.inject({ method: one.method, url: one.url, headers: { 'x-api-key': key } });
        expect(answer.statusCode, key).toBe(REACHED);
      }
      expect(entries).toEqual([]);
    },
  );

  it('opens the landing port as it opens the path that is served there', async () => {
    for (const { name, basePaths } of PRODUCTS) {
      const isCovered = basePaths.some((base) => LANDING_PATH.startsWith(`${base}/`));
      expect(await askLanding(`only ${name}`), name).toMatchObject(
        isCovered ? { status: REACHED } : { status: 403, message: NO_ACCESS },
      );
    }
    expect((await askLanding('only landing')).status).toBe(REACHED);
    expect((await askLanding('only swap')).status).toBe(REACHED);
  });
});

it('docs/firewall.md lists the older paths of every endpoint', () => {
  const listed = PRODUCTS.flatMap(({ endpoints }) => endpoints)
    .filter(({ aliases }) => aliases.length > 0)
    .map(({ path, aliases }) => `| \`${path}\` | ${aliases.map((alias) => `\`${alias}\``).join(', ')} |`);
  const page = readFileSync('docs/firewall.md', 'utf8');
  const table = page.split('| endpoint | older paths |')[1]?.split('\n\n')[0] ?? '';
  expect(table.trim().split('\n').slice(1).sort()).toEqual(listed.sort());
});

const HOST = '127.0.0.1';
const NO_ACCESS = 'API key does not have access to this endpoint';
const BLOCKED = 'Request blocked by firewall';

const WITH_ALIASES = SERVED_PATHS.filter(({ others }) => others.length > 0);

const entries: RequestEntry[] = [];

/** A key says what it may do: `deny /ultra` and `limit /ultra` have a rule on that path, `only swap` is confined to `swap`. */
function findKey(key: string): KnownKey | null {
  const [kind = '', value = ''] = key.split(' ');
  return {
    id: key,
    name: 'web',
    teamId: key,
    organisationId: key,
    rules: kind === 'only' ? null : rulesOn(kind, value),
    limits: { main: 1_000, execute: 1_000, submit: 1_000 },
    products: kind === 'only' ? [value] : null,
    expiresAt: null,
  };
}

function rulesOn(kind: string, path: string) {
  const action: RuleAction =
    kind === 'limit' ? { type: 'rate-limit', limit: 1, windowSeconds: 60, per: 'team' } : { type: 'deny' };
  const groups = [[{ type: 'path' as const, name: null, values: [path] }]];
  return compileRules([{ id: path, name: path, enabled: true, groups, action, createdAt: 0 }]);
}

/** Whether the test tool would say that a deny rule on `prefix` stops a request. */
function isDeniedByTool(prefix: string, method: string, target: string): boolean {
  const path = parseRequestedPath(target);
  const request = { path, method, key: 'web', country: null, ip: null, headers: new Map() };
  return evaluate(rulesOn('deny', prefix) ?? { rules: [] }, request).decided !== null;
}

async function setUp(): Promise<void> {
  const extraPorts = new ExtraPorts();
  app = await openStubGateway({ findKey, record: (entry) => entries.push(entry) }, { extraPorts });
  await listen(app, { host: HOST, port: 0, setting: 'rest-port' });
  const port = { host: HOST, port: 0, setting: 'landing-address', path: LANDING_PATH };
  landingUrl = await extraPorts.listen(app, port);
}

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, key: string) {
  entries.length = 0;
  const answer = await app.inject({ method, url, headers: { 'x-api-key': key } });
  await expect.poll(() => entries.length).toBe(1);
  return { status: answer.statusCode, message: answer.json().message, entry: entries[0] };
}

async function askLanding(key: string) {
  entries.length = 0;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(landingUrl, { method: 'POST', headers, body: '{}' });
  await expect.poll(() => entries.length).toBe(1);
  const { message } = (await answer.json()) as { message?: string };
  return { status: answer.status, message, entry: entries[0] };
}

/** Spells a path otherwise, as the router takes it all the same. */
function spellings(url: string): readonly string[] {
  const at = url.search(/[a-z]/);
  const code = url.charCodeAt(at).toString(16);
  return [
    url,
    `${url}?path=/other`,
    `${url.slice(0, at)}%${code}${url.slice(at + 1)}`,
    `http://a.example${url}`,
  ];
}
