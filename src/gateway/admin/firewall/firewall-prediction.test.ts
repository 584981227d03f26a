import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileRules } from '../../../platform/firewall/evaluate.ts';
import {
  predictRequests,
  type PredictedRequest,
} from '../../../platform/firewall/preview/predict-requests.ts';
import { SCOPES, type Rule, type RuleAction } from '../../../platform/firewall/rule.ts';
import type { RequestEntry } from '../../../platform/traffic/log/request-entry.ts';
import * as from from '../../../testing/platform/firewall-rules.ts';
import { assertProperty } from '../../../testing/random.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { createGateway } from '../../gateway.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter, type RateLimiter } from '../../limits/rate-limiter.ts';
import { SlidingLog } from '../../limits/sliding-log.ts';
import { createCountryFinder } from '../../pipeline/request/country.ts';
import { closeServer } from '../../server/server.ts';

beforeAll(open);
afterAll(() => closeServer(app));

describe('predictRequests', () => {
  it('says of the log what the pipeline does with the same requests when the rules are on', async () => {
    let [certain, stopped, all] = [0, 0, 0];
    await assertProperty(
      fc.asyncProperty(rulesOfTeam, fc.array(sentRequest, { maxLength: 25 }), async (rules, requests) => {
        const logged = await send(requests, []);
        const predicted = await predict(rules, logged);
        const happened = await send(requests, rules);
        expect(predicted).toHaveLength(happened.length);
        for (const [index, entry] of happened.entries()) {
          const { effects, judgement } = predicted[index] as PredictedRequest;
          expect([...effects]).toContain(toEffect(entry));
          const matched = new Set(entry.firewall?.matched ?? []);
          const names = (ids: ReadonlySet<string>) =>
            rules.filter(({ id }) => ids.has(id)).map(({ name }) => name);
          for (const name of names(judgement.matched)) expect(matched).toContain(name);
          const possible = new Set([...names(judgement.matched), ...names(judgement.mayMatch)]);
          for (const name of matched) expect(possible).toContain(name);
          if (judgement.doubts.size === 0 && judgement.deciders.length === 1)
            expect(judgement.deciders[0]?.name ?? null).toBe(entry.firewall?.rule ?? null);
          if (effects.size === 1) certain++;
          if (effects.size === 1 && !effects.has('pass')) stopped++;
          all++;
        }
      }),
      { cases: 1_000, short: 100, seed: 20_261_130, against: 'the pipeline' },
    );
    // Otherwise a prediction that knows nothing would pass.
    expect([certain / all > 0.6, stopped / all > 0.05]).toEqual([true, true]);
  });

  it('knows everything where no condition needs more than the log keeps', async () => {
    await assertProperty(
      fc.asyncProperty(knownRules, fc.array(knownRequest, { maxLength: 25 }), async (rules, requests) => {
        const predicted = await predict(rules, await send(requests, []));
        const happened = await send(requests, rules);
        expect(predicted.map(({ effects }) => [...effects])).toEqual(
          happened.map((entry) => [toEffect(entry)]),
        );
      }),
      { cases: 1_000, short: 100, seed: 20_261_131, against: 'the pipeline' },
    );
  });
});

/** Spellings of paths: of routes with and without parameters, of older names, and of none. */
const PATHS = [
  '/swap/v2/build',
  '/swap/v2/build?amount=5',
  '/%73wap/v2/build',
  '/swap/v2/%62uild?x=/price',
  '/swap/v2/build/',
  '/swap//v2/build',
  '/swap/v2/order/abc',
  '/swap/v2/order/%61bc',
  '/swap/v2/order/a%2Fbc',
  '/swap/v2/order/%2541',
  '/swap/v2/order/%C3%BC',
  '/tx/v1/a/b%2fc',
  '/price/v3',
  '/swapped',
  '/price/%2e%2e',
  `/swap/v2/order/${'0123456789abcdef'.repeat(4)}`,
  `/nowhere/${'long/'.repeat(60)}`,
];
const PREFIXES = [
  '/',
  '/swap',
  '/swap/v2/build',
  '/swap/v2/order/abc',
  '/swap/v2/order/a/b',
  '/swap/v2/order/%41',
  '/swap/v2/order/ü',
  '/swap/v2/order/0123',
  '/swap//',
  '/tx/v1/a/b/c',
  '/price/..',
  `/nowhere/${'long/'.repeat(30)}`,
].filter((prefix) => !prefix.includes('%'));

interface SentRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly key: string;
  readonly ip: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the request before. */
  readonly after: number;
}

const sentRequest: fc.Arbitrary<SentRequest> = fc.record({
  url: fc.constantFrom(...PATHS),
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  key: fc.constantFrom(...from.KEYS),
  ip: fc.oneof(from.ipv4, from.ipv6),
  headers: fc.dictionary(
    fc.constantFrom(...from.HEADERS),
    fc.constantFrom(...from.HEADER_VALUES, '100%', ''),
  ),
  after: fc.constantFrom(0, 1, 400, 1_000, 2_600),
});
const knownRequest = sentRequest.map((request) => ({
  ...request,
  url: request.url.includes('%C3') || request.url.includes('cdef') ? '/swapped' : request.url,
  ip: request.ip.includes(':') ? '203.0.113.9' : request.ip,
}));

/** Limits that a few requests reach. */
const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({ type: fc.constantFrom('log', 'deny', 'bypass') }),
  fc.record({
    type: fc.constant('rate-limit' as const),
    limit: fc.integer({ min: 1, max: 3 }),
    windowSeconds: fc.integer({ min: 1, max: 6 }),
    per: fc.constantFrom(...SCOPES),
  }),
);
const rulesOfTeam: fc.Arbitrary<Rule[]> = fc
  .tuple(from.rules, fc.array(action, { minLength: 8, maxLength: 8 }), fc.array(fc.constantFrom(...PREFIXES)))
  .map(([rules, actions, prefixes]) =>
    rules.map((rule, index) => ({
      ...rule,
      enabled: true,
      action: actions[index] ?? rule.action,
      groups: rule.groups.map((group) =>
        group.map((one) =>
          one.type === 'path' && prefixes.length > 0 ? { ...one, values: [...one.values, ...prefixes] } : one,
        ),
      ),
    })),
  );
const knownRules = rulesOfTeam.map((rules) =>
  rules.map((rule) => ({
    ...rule,
    groups: rule.groups.map((group) =>
      group.map((one) => (one.name === 'x-app' ? { ...one, name: 'user-agent' } : one)),
    ),
  })),
);

let app: FastifyInstance;
let now: number;
let entries: RequestEntry[] = [];
let limiter: RateLimiter;
let rulesNow: readonly Rule[] = [];

async function open(): Promise<void> {
  app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (name) => ({
        id: `id of ${name}`,
        name,
        teamId: 't',
        organisationId: 'o',
        rules: compileRules(rulesNow),
        limits: { main: 10_000, execute: 10_000, submit: 10_000 },
        products: null,
        expiresAt: null,
      }),
      limiter: {
        hit: (...args) => limiter.hit(...args),
        takeBack: (...args) => limiter.takeBack(...args),
        current: (...args) => limiter.current(...args),
      },
      countryOf: createCountryFinder({
        header: null,
        database: (address) => from.COUNTRIES[(address.at(-1) ?? 0) % 4] ?? null,
        trustedProxies: [],
      }),
      now: () => now,
      // The clock of the test stands still while a request is answered.
      record: (entry) => entries.push({ ...entry, gatewayUs: 0, handlerUs: 0, sendUs: 0 }),
    },
    trustedProxies: [],
    tls: null,
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: (server) => {
      for (const path of ['/swap/v2/build', '/swap/v2/order/:id', '/tx/v1/*', '/price/v3'])
        server.get(path, async () => ({ ok: true }));
    },
  });
}

/** Sends requests with rules on, and returns what the log keeps of them, in order. */
async function send(
  requests: readonly SentRequest[],
  rules: readonly Rule[],
): Promise<readonly RequestEntry[]> {
  rulesNow = rules;
  limiter = createInProcessLimiter();
  entries = [];
  now = 1_790_000_000_000;
  for (const { url, method, key, ip, headers, after } of requests) {
    now += after;
    await app.inject({ url, method, remoteAddress: ip, headers: { ...headers, 'x-api-key': key } });
  }
  return entries;
}

function predict(
  rules: readonly Rule[],
  logged: readonly RequestEntry[],
): Promise<readonly PredictedRequest[]> {
  return predictRequests({
    rules,
    concerning: null,
    entries: [...logged].reverse(),
    findKeyName: (keyId) => keyId.replace('id of ', ''),
    createWindow: (windowMs) => new SlidingLog(windowMs),
    pause: async () => true,
  });
}

function toEffect({ firewall }: RequestEntry): string {
  return firewall?.outcome === 'deny' || firewall?.outcome === 'limit' ? firewall.outcome : 'pass';
}
