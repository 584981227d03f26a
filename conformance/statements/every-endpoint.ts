import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, shown, unless } from '../answer.ts';
import { createConfinedKey, createKeyBehind } from '../keys.ts';
import {
  askEndpoint,
  goodTarget,
  listsOf,
  meaninglessValue,
  SERVED_ENDPOINTS,
  type ServedEndpoint,
  withNulls,
} from '../requests.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';

// Statements about what all endpoints share. Each one walks every endpoint of every product.

const RATE_HEADERS = ['x-ratelimit-remaining', 'x-ratelimit-current', 'x-ratelimit-reset'];
const LISTS = SERVED_ENDPOINTS.flatMap((endpoint) =>
  listsOf(endpoint.query).map((name) => ({ endpoint, name })),
);
const WITH_BODY = SERVED_ENDPOINTS.filter(({ body }) => body !== null);
const MAX_SHOWN = 5;

/** Returns null if there are no problems; otherwise how many, and the first ones. */
function unlessAny(problems: readonly string[]): string | null {
  return unless(problems.length === 0, { count: problems.length, first: problems.slice(0, MAX_SHOWN) });
}

/** Checks each item. @returns the problems, each under the name of its endpoint */
async function walk<Item>(
  items: readonly Item[],
  endpointOf: (item: Item) => ServedEndpoint,
  check: (item: Item) => Promise<string | null>,
): Promise<string | null> {
  const problems: string[] = [];
  for (const item of items) {
    const { method, path } = endpointOf(item);
    const problem = await check(item);
    if (problem !== null) problems.push(`${method} ${path}: ${problem}`);
  }
  return unlessAny(problems);
}

const itself = (endpoint: ServedEndpoint) => endpoint;

/** Returns the part of an answer that two requests have to agree in, without ids and durations, which always differ. */
function comparable({ status, text }: Answer): string {
  return `${status} ${text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/"(timeTaken|totalTime|time)":[\d.]+/g, '"$1":0')}`;
}

/** Returns every form of a query with two items in a list. The others have to agree with the first one. */
function formsOf(name: string): readonly string[] {
  const encoded = encodeURIComponent(name);
  return [
    `${encoded}=1,2`,
    `${encoded}=1%2C2`,
    `${encoded}=1&${encoded}=2`,
    `${encoded}[]=1&${encoded}[]=2`,
    `${encoded}%5B%5D=1&${encoded}%5B%5D=2`,
    `${encoded}[0]=1&${encoded}[1]=2`,
    `${encoded}=1&${encoded}[]=2`,
  ];
}

/** Asks with every form of a list. @returns the first answer that differs from the answer to the form with commas */
async function otherForm(world: World, endpoint: ServedEndpoint, name: string): Promise<string | null> {
  const [path = '', query = ''] = goodTarget(endpoint, world.wallet.address).split('?');
  const others = new URLSearchParams(query);
  others.delete(name);
  const ask = (form: string) => world.ask(`${path}?${others}&${form}`);
  const [commas = '', ...forms] = formsOf(name);
  const expected = comparable(await ask(commas));
  for (const form of forms) {
    const answer = await ask(form);
    if (comparable(answer) !== expected) return `${form}: ${shown(answer)}, with commas ${expected}`;
  }
  return null;
}

const forms: readonly Statement[] = [
  {
    id: 'every-endpoint/null-fields',
    says: 'Null for an optional field of a body means that it is absent, at every endpoint.',
    check: (world) =>
      walk(WITH_BODY, itself, async (endpoint) => {
        const { body, method, path } = endpoint;
        const value = meaninglessValue(body ?? {});
        const answer = await world.ask(path, { method, body: withNulls(body ?? {}, value) });
        const without = await world.ask(path, { method, body: value });
        return comparable(answer) === comparable(without)
          ? null
          : `${shown(answer)}, without nulls ${shown(without)}`;
      }),
  },
  {
    id: 'every-endpoint/lists',
    says: 'Lists in queries may be separated by commas, repeated, or written with brackets, at every endpoint.',
    check: (world) =>
      walk(
        LISTS,
        ({ endpoint }) => endpoint,
        ({ endpoint, name }) => otherForm(world, endpoint, name),
      ),
  },
  {
    id: 'every-endpoint/malformed-json',
    says: 'A body that is not JSON is answered with JSON that says so, and never with a 500.',
    check: (world) =>
      walk(WITH_BODY, itself, async ({ method, path }) => {
        for (const text of ['{"a":', 'a=1', '{"a":1}}', '']) {
          const answer = await world.ask(path, { method, text });
          const isRefused =
            answer.status === 400 || (answer.status === 200 && answer.json?.error !== undefined);
          if (!isRefused || typeof answer.json !== 'object' || answer.json === null) return shown(answer);
        }
        return null;
      }),
  },
  {
    id: 'every-endpoint/empty-segments',
    says: 'A path with a slash at its end, or without the value of a parameter, is answered 404 `Not Found`.',
    check: (world) =>
      walk(SERVED_ENDPOINTS, itself, async ({ method, path, aliases }) => {
        const paths = [`${path}/`, ...Array.from(path.matchAll(/:\w+/g), ([name]) => path.replace(name, ''))];
        for (const each of paths.filter((one) => !aliases.includes(one))) {
          const url = each.replace(/:\w+/g, '1');
          const answer = await world.ask(url, { method });
          if (answer.status !== 404 || answer.json?.message !== 'Not Found')
            return `${url}: ${shown(answer)}`;
        }
        return null;
      }),
  },
];

/** Credits by the contract, and of the endpoints that are Sluice's own. Whatever ends with `/execute` is 0, any other 1. */
const CREDITS: Readonly<Record<string, number>> = {
  '/portfolio/v1/positions/:address': 100,
  '/portfolio/v1/positions': 100,
  '/portfolio/v1/platforms': 5,
  '/tokens/v2/search': 10,
  '/tokens/v2/tag': 50,
  '/tokens/v2/:category/:interval': 5,
  '/tx/v1': 0,
  '/tx/v1/submit': 0,
  '/tx/v1/reports/:signature': 0,
  // Sluice's own: what a wallet had over time, and a stream of positions.
  '/portfolio/v1/history/:address': 100,
  '/portfolio/v1/positions/:address/stream': 500,
  // For makers, whose keys have no credits.
  '/market-making/v1/books': 0,
  '/market-making/v1/orders': 0,
  '/market-making/v1/statistics': 0,
  '/market-making/v1/status': 0,
};

function creditsBy(path: string): number {
  return CREDITS[path] ?? (path.endsWith('/execute') ? 0 : 1);
}

/** Asks every endpoint once, under one organisation. @returns the credits that each path has cost */
async function creditsOfAll(world: World): Promise<ReadonlyMap<string, number>> {
  const { slug, key } = await world.newOrganisation();
  for (const endpoint of SERVED_ENDPOINTS) await askEndpoint(world, endpoint, { key });
  // A request is recorded when its connection has taken the answer, which may be after the client has it.
  await sleep(100);
  const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/usage?by=endpoint`);
  const rows: readonly { of: string; credits: number }[] = json.rows;
  return new Map(rows.map(({ of, credits }) => [of, credits]));
}

/** Makes two keys that are confined to other products each, and returns the one that does not open an endpoint. */
async function createConfinedKeys(world: World): Promise<(endpoint: ServedEndpoint) => string> {
  const [prices, tokens] = [
    await createConfinedKey(world, 'price'),
    await createConfinedKey(world, 'tokens'),
  ];
  return ({ product }) => (product === 'price' ? tokens : prices);
}

/** Uses one key for every endpoint. */
const always =
  (create: (world: World) => Promise<string>) =>
  async (world: World): Promise<(endpoint: ServedEndpoint) => string> => {
    const key = await create(world);
    return () => key;
  };

const ONE_A_MINUTE = { type: 'rate-limit', limit: 1, window: '60s', per: 'team' };

/** The classes of answers that every endpoint can give, and what is needed to get them. */
const CLASSES: readonly {
  readonly id: string;
  readonly status: number;
  readonly what: string;
  readonly carries: boolean;
  readonly keysOf: (world: World) => Promise<(endpoint: ServedEndpoint) => string>;
  /** Whether the request has a method that no endpoint of its path has. Default: its own. */
  readonly asksOtherwise?: true;
}[] = [
  {
    id: '401',
    status: 401,
    what: 'an unknown key',
    carries: false,
    keysOf: always(async () => 'jup_unknown'),
  },
  { id: '403', status: 403, what: 'a key for other products', carries: false, keysOf: createConfinedKeys },
  {
    id: '403-rule',
    status: 403,
    what: 'a rule that denies',
    carries: false,
    keysOf: always((world) => createKeyBehind(world, { type: 'deny' })),
  },
  {
    id: '405',
    status: 405,
    what: 'another method',
    carries: false,
    keysOf: always(async (world) => (await world.newOrganisation()).key),
    asksOtherwise: true,
  },
  {
    id: '429',
    status: 429,
    what: 'a rule with a rate limit',
    carries: true,
    keysOf: always(async (world) => {
      const key = await createKeyBehind(world, ONE_A_MINUTE);
      await world.ask('/nowhere', { key });
      return key;
    }),
  },
];

/** @param carries - Whether the answer has to have all rate limit headers; otherwise it must have none. @returns null if so */
function rateProblem(answer: Answer, carries: boolean): string | null {
  const found = RATE_HEADERS.filter((name) => /^-?\d+$/.test(answer.headers.get(name) ?? ''));
  const retries = answer.headers.has('retry-after');
  if (found.length !== (carries ? RATE_HEADERS.length : 0))
    return `${answer.status} with ${found.join() || 'none'}`;
  return answer.status === 429 && !retries ? '429 without retry-after' : null;
}

const counted: readonly Statement[] = [
  {
    id: 'every-endpoint/credits',
    says: 'Every endpoint costs the credits of the contract.',
    check: async (world) => {
      const used = await creditsOfAll(world);
      return walk(SERVED_ENDPOINTS, itself, async ({ path }) => {
        // Usage is counted by path, and a path may have an endpoint for each of several methods.
        const credits = SERVED_ENDPOINTS.filter((each) => each.path === path).length * creditsBy(path);
        return used.get(path) === credits ? null : `${used.get(path)} and not ${credits}`;
      });
    },
  },
  {
    id: 'every-endpoint/rate-headers',
    says: 'An answer of an endpoint carries the rate limit headers if it is 200, and none of them if it is a refusal.',
    check: async (world) => {
      const { key } = await world.newOrganisation();
      return walk(SERVED_ENDPOINTS, itself, async (endpoint) => {
        const good = await askEndpoint(world, endpoint, { key });
        if (good.status >= 500) return shown(good);
        const { method, path } = endpoint;
        const bare = await world.ask(path.replace(/:\w+/g, '1'), {
          method,
          text: method === 'GET' ? undefined : '{}',
          key,
        });
        return rateProblem(good, good.status === 200) ?? rateProblem(bare, bare.status === 200);
      });
    },
  },
  ...CLASSES.map(
    ({ id, status, what, carries, keysOf, asksOtherwise }): Statement => ({
      id: `every-endpoint/rate-headers-${id}`,
      says: `${status} for ${what} carries ${carries ? 'the' : 'no'} rate limit headers, at every endpoint.`,
      check: async (world) => {
        const keyFor = await keysOf(world);
        return walk(SERVED_ENDPOINTS, itself, async (endpoint) => {
          const answer = await askEndpoint(world, endpoint, {
            key: keyFor(endpoint),
            ...(asksOtherwise === undefined ? {} : { method: findOtherMethod(endpoint) }),
          });
          return answer.status === status ? rateProblem(answer, carries) : shown(answer);
        });
      },
    }),
  ),
];

/** Returns a method that no endpoint of the path has. */
function findOtherMethod({ path }: (typeof SERVED_ENDPOINTS)[number]): string {
  const methods = SERVED_ENDPOINTS.filter((each) => each.path === path).map(({ method }) => method);
  return methods.includes('DELETE') ? 'PATCH' : 'DELETE';
}

export const everyEndpoint: readonly Statement[] = [...forms, ...counted];
