import { difference, firstOf, unless } from '../answer.ts';
import type { Answer } from '../answer.ts';
import { createConfinedKey, createKeyBehind } from '../keys.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

const LABELS = '/swap/v2/program-id-to-label';
const EXECUTE = '/swap/v2/execute';
const RATE_HEADERS = ['x-ratelimit-remaining', 'x-ratelimit-current', 'x-ratelimit-reset'];
const REQUEST_ID = 'x-api-gateway-request-id';
const FREE_LIMIT = 60;

/** Returns null if none of the rate limit headers is there, otherwise the names of all headers. */
function withoutRate({ headers }: Answer): string | null {
  return unless(!RATE_HEADERS.some((name) => headers.has(name)), [...headers.keys()]);
}

function rateOf({ headers }: Answer) {
  const [remaining, current, reset] = RATE_HEADERS.map((name) => headers.get(name));
  const areIntegers = [remaining, current, reset].every((value) => /^-?\d+$/.test(value ?? ''));
  return { areIntegers, remaining: Number(remaining), current: Number(current), reset: Number(reset) };
}

/** Makes an organisation of the plan `free` whose main bucket is spent. @returns its key */
async function spentKey(world: World): Promise<string> {
  const { slug, key } = await world.newOrganisation();
  await world.admin('PATCH', `/admin/v1/organisations/${slug}`, { plan: 'free' });
  for (let sent = 0; sent < FREE_LIMIT; sent++) await world.ask(LABELS, { key });
  return key;
}

const SWAP = ['/swap'];

/** Sends what is answered with each status that carries no rate limit headers. */
const UNCOUNTED: readonly (readonly [status: number, ask: (world: World) => Promise<Answer>])[] = [
  [400, (world) => world.ask('/swap/v2/order?amount=x')],
  [401, (world) => world.ask(LABELS, { key: 'jup_unknown' })],
  [403, async (world) => world.ask(LABELS, { key: await createKeyBehind(world, { type: 'deny' }, SWAP) })],
  [404, (world) => world.ask('/nope')],
  [405, (world) => world.ask(LABELS, { method: 'DELETE' })],
];

const refusals: readonly Statement[] = [
  {
    id: 'gateway/unknown-key',
    says: 'An unknown key is answered 401 `Unauthorized`, without rate limit headers.',
    check: async (world) => {
      const answer = await world.ask(LABELS, { key: 'jup_unknown' });
      const body = { code: 401, message: 'Unauthorized' };
      return firstOf(difference(answer, { status: 401, body }), withoutRate(answer));
    },
  },
  {
    id: 'gateway/malformed-key',
    says: 'A key of another form is answered 401 as well, and so is one that was cut.',
    check: async (world) => {
      const { key } = await world.newOrganisation();
      const answers = [
        await world.ask(LABELS, { key: '%%%' }),
        await world.ask(LABELS, { key: key.slice(0, -1) }),
      ];
      return firstOf(...answers.map((answer) => difference(answer, { status: 401 })));
    },
  },
  {
    id: 'gateway/no-access',
    says: 'A path that the key may not use is answered 403 with the text of the contract.',
    check: async (world) => {
      const answer = await world.ask('/price/v3', { key: await createConfinedKey(world, 'swap') });
      const body = { code: 403, message: 'API key does not have access to this endpoint' };
      return firstOf(difference(answer, { status: 403, body }), withoutRate(answer));
    },
  },
  {
    id: 'gateway/firewall-deny',
    says: 'The firewall denies with 403 `Request blocked by firewall`.',
    check: async (world) => {
      const answer = await world.ask(LABELS, { key: await createKeyBehind(world, { type: 'deny' }, SWAP) });
      const body = { code: 403, message: 'Request blocked by firewall' };
      return firstOf(difference(answer, { status: 403, body }), withoutRate(answer));
    },
  },
  {
    id: 'gateway/firewall-limit',
    says: "A firewall's rate limit is answered 429 `Too many requests`, with the headers of the rule's window.",
    check: async (world) => {
      const action = { type: 'rate-limit', limit: 1, window: 'minute', per: 'team' };
      const key = await createKeyBehind(world, action, SWAP);
      await world.ask(LABELS, { key });
      const answer = await world.ask(LABELS, { key });
      const { areIntegers, remaining, current } = rateOf(answer);
      return firstOf(
        difference(answer, { status: 429, body: { code: 429, message: 'Too many requests' } }),
        unless(areIntegers && current + remaining === 1, rateOf(answer)),
      );
    },
  },
  {
    id: 'gateway/plan-limit',
    says: 'Beyond the plan, 429 `[API Gateway] Too many requests` with the rate limit headers.',
    check: async (world) => {
      const answer = await world.ask(LABELS, { key: await spentKey(world) });
      const body = { code: 429, message: '[API Gateway] Too many requests' };
      return firstOf(
        difference(answer, { status: 429, body }),
        unless(rateOf(answer).areIntegers, rateOf(answer)),
      );
    },
  },
  {
    id: 'gateway/refused-not-counted',
    says: 'A request that is refused with 429 does not count towards the limit.',
    check: async (world) => {
      const key = await spentKey(world);
      const first = rateOf(await world.ask(LABELS, { key }));
      const second = rateOf(await world.ask(LABELS, { key }));
      return unless(first.current === second.current && first.reset === second.reset, { first, second });
    },
  },
  {
    id: 'gateway/errors-are-json',
    says: 'Every refusal is flat JSON with `code` and `message`.',
    check: async (world) => {
      const answers = [await world.ask('/nope'), await world.ask(LABELS, { key: 'x' })];
      const isFlat = ({ headers, json }: Answer) =>
        headers.get('content-type')?.startsWith('application/json') === true &&
        typeof json?.code === 'number' &&
        Object.values(json).every((value) => typeof value !== 'object');
      return unless(
        answers.every(isFlat),
        answers.map(({ text }) => text),
      );
    },
  },
];

const limits: readonly Statement[] = [
  {
    id: 'gateway/no-key',
    says: 'A request without a key is keyless, with a main bucket of 30 a minute.',
    check: async (world) => {
      const answer = await world.ask(LABELS, { key: null });
      const { remaining, current } = rateOf(answer);
      return firstOf(difference(answer, { status: 200 }), unless(remaining + current === 30, rateOf(answer)));
    },
  },
  {
    id: 'gateway/empty-key',
    says: 'An empty x-api-key is keyless.',
    check: async (world) =>
      difference(await world.ask(LABELS, { key: null, headers: { 'x-api-key': '' } }), { status: 200 }),
  },
  {
    id: 'gateway/bearer-is-no-key',
    says: 'On product paths, `Authorization: Bearer` is never read as a key.',
    check: async (world) =>
      difference(await world.ask(LABELS, { key: null, headers: { authorization: 'Bearer jup_unknown' } }), {
        status: 200,
      }),
  },
  {
    id: 'gateway/rate-headers',
    says: 'A 200 says how much of the bucket is used and left, and the Unix second at which a slot opens.',
    check: async (world) => {
      const { key } = await world.newOrganisation();
      const first = rateOf(await world.ask(LABELS, { key }));
      const second = rateOf(await world.ask(LABELS, { key }));
      const seconds = first.reset - Date.now() / 1_000;
      const isCounted = first.current === 1 && second.current === 2 && first.remaining === 8_999;
      const isReset = seconds > 0 && seconds <= 61 && second.reset === first.reset;
      return unless(first.areIntegers && isCounted && isReset, { first, second, seconds });
    },
  },
  ...UNCOUNTED.map(
    ([status, ask]): Statement => ({
      id: `gateway/no-rate-headers-${status}`,
      says: `A ${status} carries no rate limit headers.`,
      check: async (world) => {
        const answer = await ask(world);
        return firstOf(difference(answer, { status }), withoutRate(answer));
      },
    }),
  ),
  {
    id: 'gateway/execute-bucket',
    says: 'Executions have a bucket of their own: they do not count towards the main one, nor the other way round.',
    check: async (world) => {
      const { key } = await world.newOrganisation();
      await world.ask(LABELS, { key });
      for (let sent = 0; sent < 3; sent++) await world.ask(EXECUTE, { method: 'POST', body: {}, key });
      const { current } = rateOf(await world.ask(LABELS, { key }));
      return unless(current === 2, { current });
    },
  },
  {
    id: 'gateway/limit-of-organisation',
    says: 'All keys and teams of an organisation share its limit.',
    check: async (world) => {
      const { slug, key } = await world.newOrganisation();
      const teams = `/admin/v1/organisations/${slug}/teams`;
      await world.admin('POST', teams, { slug: 'other' });
      const { json } = await world.admin('POST', `${teams}/other/keys`, { name: 'other' });
      await world.ask(LABELS, { key });
      const { current } = rateOf(await world.ask(LABELS, { key: json.key }));
      return unless(current === 2, { current });
    },
  },
];

const paths: readonly Statement[] = [
  {
    id: 'gateway/unknown-path',
    says: 'An unknown path is answered 404 `Not Found`.',
    check: async (world) =>
      difference(await world.ask('/nope'), { status: 404, body: { code: 404, message: 'Not Found' } }),
  },
  {
    id: 'gateway/trailing-slash',
    says: 'Paths are matched exactly: a trailing slash is 404.',
    check: async (world) =>
      difference(await world.ask(`${LABELS}/`), { status: 404, body: { message: 'Not Found' } }),
  },
  {
    id: 'gateway/case-of-path',
    says: 'Paths are matched by case.',
    check: async (world) => difference(await world.ask(LABELS.toUpperCase()), { status: 404 }),
  },
  {
    id: 'gateway/head',
    says: 'HEAD is answered 405, with the methods that the path has in `allow`.',
    check: async (world) => {
      const answer = await world.ask(LABELS, { method: 'HEAD' });
      const allow = answer.headers.get('allow');
      return firstOf(difference(answer, { status: 405 }), unless(allow === 'GET', { allow }));
    },
  },
  {
    id: 'gateway/options',
    says: 'OPTIONS is answered 204.',
    check: async (world) => difference(await world.ask(LABELS, { method: 'OPTIONS' }), { status: 204 }),
  },
  {
    id: 'gateway/health',
    says: 'GET /health is answered 200 `{"status":"ok"}`, without a key.',
    check: async (world) =>
      difference(await world.ask('/health', { key: null }), { status: 200, body: { status: 'ok' } }),
  },
  {
    id: 'gateway/status',
    says: 'GET /status tells the state of every part, without a key.',
    check: async (world) => {
      const answer = await world.ask('/status', { key: null });
      const parts = Object.values(answer.json?.parts ?? {});
      return firstOf(
        difference(answer, { status: 200, body: { ready: true } }),
        unless(parts.length > 0 && parts.every((part) => typeof part === 'string'), answer.json),
      );
    },
  },
  {
    id: 'gateway/health-not-counted',
    says: 'Asking for health does not count towards a limit.',
    check: async (world) => withoutRate(await world.ask('/health', { key: null })),
  },
  {
    id: 'gateway/unknown-parameters',
    says: 'Unknown query parameters are ignored, because clients send parameters of older versions.',
    check: async (world) => difference(await world.ask(`${LABELS}?unknown=1`), { status: 200 }),
  },
];

const headers: readonly Statement[] = [
  {
    id: 'gateway/request-id',
    says: 'Every answer carries an x-api-gateway-request-id of its own.',
    check: async (world) => {
      const answers = await Promise.all([
        world.ask(LABELS),
        world.ask('/nope'),
        world.ask(LABELS, { key: 'x' }),
        world.ask('/health'),
      ]);
      const ids = answers.map(({ headers }) => headers.get(REQUEST_ID) ?? '');
      const areIds = ids.every((id) => /^[0-9a-f-]{36}$/.test(id));
      return unless(areIds && new Set(ids).size === ids.length, ids);
    },
  },
  {
    id: 'gateway/preflight',
    says: 'A preflight is answered 204 before any key is looked at, and allows x-api-key.',
    check: async (world) => {
      const answer = await world.ask(EXECUTE, {
        method: 'OPTIONS',
        key: 'jup_unknown',
        headers: {
          origin: 'https://example.org',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-api-key',
        },
      });
      const allowed = answer.headers.get('access-control-allow-headers') ?? '';
      return firstOf(difference(answer, { status: 204 }), unless(allowed.includes('x-api-key'), { allowed }));
    },
  },
  {
    id: 'gateway/cors',
    says: 'Pages of every origin may call, and may read the id and the rate limit headers.',
    check: async (world) => {
      const { headers } = await world.ask(LABELS, { headers: { origin: 'https://example.org' } });
      const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ');
      const origin = headers.get('access-control-allow-origin');
      const isOpen = origin === '*' && [REQUEST_ID, ...RATE_HEADERS].every((name) => exposed.includes(name));
      return unless(isOpen, { origin, exposed });
    },
  },
];

export const gatewayStatements: readonly Statement[] = [...refusals, ...limits, ...paths, ...headers];
