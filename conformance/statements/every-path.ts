import { setTimeout as sleep } from 'node:timers/promises';
import { difference, firstOf, shown, unless } from '../answer.ts';
import { LANDING_PATH, PRODUCTS } from '../../src/app/products.ts';
import { createConfinedKey } from '../keys.ts';
import { askEndpoint, goodText, SERVED_ENDPOINTS, type ServedEndpoint } from '../requests.ts';
import type { Statement } from '../statement.ts';
import type { AskOptions, World } from '../world.ts';

// Statements about every older path of an endpoint, and about the port at whose root transactions are landed.

const DENIED = { status: 403, body: { message: 'Request blocked by firewall' } };
const NO_ACCESS = { status: 403, body: { message: 'API key does not have access to this endpoint' } };
const MAX_ATTEMPTS = 40;

/** The products that keys of organisations open. */
const KEYED_PRODUCTS = PRODUCTS.filter(({ isForMakers }) => !isForMakers);

const ALIASES = SERVED_ENDPOINTS.flatMap((endpoint) =>
  endpoint.aliases.map((alias) => ({ endpoint, alias })),
);

/** Checks each alias. @returns null if none has a problem; otherwise the first one */
async function walkAliases(
  check: (alias: string, endpoint: ServedEndpoint) => Promise<string | null>,
): Promise<string | null> {
  for (const { alias, endpoint } of ALIASES) {
    const problem = await check(alias, endpoint);
    if (problem !== null) return `${alias}: ${problem}`;
  }
  return null;
}

/** Returns a path with the values that `askEndpoint` asks for. */
function fillPath(path: string, { wallet }: World): string {
  return path.replace(/:(\w+)/g, (_, name: string) => goodText(name, wallet.address));
}

/** Makes an organisation whose team denies a path. */
async function teamWithout(world: World, path: string) {
  const { slug, team, key } = await world.newOrganisation();
  const teamPath = `/admin/v1/organisations/${slug}/teams/${team}`;
  const groups = [[{ type: 'path', values: [path] }]];
  await world.admin('POST', `${teamPath}/rules`, { name: 'rule', groups, action: { type: 'deny' } });
  return {
    key,
    /** Whether the test of rules says that a request is denied. */
    isDenied: async (asked: string, method: string): Promise<boolean> => {
      const { json } = await world.admin('POST', `${teamPath}/firewall-test`, { path: asked, method });
      return json.decided?.action === 'Deny';
    },
    /** The newest entry of the request log, once it has one. */
    entry: async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/log`);
        if (json.entries.length > 0) return json.entries[0];
        await sleep(25);
      }
      throw new Error('the log has no entry');
    },
  };
}

/** Asks each alias with a key that is confined to a product. */
async function confinedProblem(world: World, name: string, basePaths: readonly string[]) {
  const key = await createConfinedKey(world, name);
  return walkAliases(async (alias, endpoint) => {
    const answer = await askEndpoint(world, endpoint, { asked: alias, key });
    const isCovered = basePaths.some((base) => alias === base || alias.startsWith(`${base}/`));
    if (!isCovered) return difference(answer, NO_ACCESS);
    return answer.status === 403 ? shown(answer) : null;
  });
}

const aliases: readonly Statement[] = [
  {
    id: 'every-path/same-answer',
    says: 'An older path answers a request as the path of its endpoint does.',
    check: (world) =>
      walkAliases(async (alias, { method, path, body }) => {
        const options = { method, ...(body === null ? {} : { body: {} }) };
        const [older, newer] = [await world.ask(alias, options), await world.ask(path, options)];
        const isSame = older.status === newer.status && older.status < 500;
        return isSame ? null : `${shown(older)}, ${path} ${shown(newer)}`;
      }),
  },
  {
    id: 'every-path/rules',
    says: 'A rule judges the path that was asked, older or not; the test of rules and the request log say the same.',
    check: (world) =>
      walkAliases(async (alias, endpoint) => {
        const { method } = endpoint;
        const [older, path] = [fillPath(alias, world), fillPath(endpoint.path, world)];
        const { key, isDenied, entry } = await teamWithout(world, older);
        const answer = await askEndpoint(world, endpoint, { asked: alias, key });
        const logged = await entry();
        const other = await askEndpoint(world, endpoint, { key });
        const tested = [await isDenied(older, method), await isDenied(path, method)];
        return firstOf(
          difference(answer, DENIED),
          unless(logged.path === older && logged.endpoint === alias, logged),
          // A path that begins with the older one is denied by its rule, too.
          unless((other.status === 403) === path.startsWith(older), shown(other)),
          unless(tested[0] === true && tested[1] === path.startsWith(older), { tested }),
        );
      }),
  },
  {
    id: 'every-path/rule-of-successor',
    says: 'A rule on the path of an endpoint does not hold for its older paths.',
    check: (world) =>
      walkAliases(async (alias, endpoint) => {
        const { method } = endpoint;
        const [older, path] = [fillPath(alias, world), fillPath(endpoint.path, world)];
        const { key, isDenied } = await teamWithout(world, path);
        const isBelow = older.startsWith(path);
        const answer = await askEndpoint(world, endpoint, { asked: alias, key });
        return firstOf(
          unless((answer.status === 403) === isBelow, shown(answer)),
          unless((await isDenied(older, method)) === isBelow, 'the test of rules says otherwise'),
        );
      }),
  },
  {
    id: 'every-path/products',
    says: 'A key that is confined to a product opens the older paths that are below a path of the product.',
    check: async (world) => {
      for (const { name, basePaths } of KEYED_PRODUCTS) {
        const problem = await confinedProblem(world, name, basePaths);
        if (problem !== null) return `${name}: ${problem}`;
      }
      return null;
    },
  },
];

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: ['AA=='] };

const askLandingPort = (world: World, options: AskOptions = {}) =>
  world.ask('/', { base: world.landingUrl, method: 'POST', body: REQUEST, ...options });

const landingPort: readonly Statement[] = [
  {
    id: 'every-path/landing-port',
    says: 'The landing port answers at its root as `/tx/v1` does.',
    check: async (world) => {
      const [atRoot, atPath] = [
        await askLandingPort(world),
        await world.ask(LANDING_PATH, { method: 'POST', body: REQUEST }),
      ];
      return unless(atRoot.status === atPath.status && atRoot.text === atPath.text, [
        shown(atRoot),
        shown(atPath),
      ]);
    },
  },
  {
    id: 'every-path/landing-port-products',
    says: 'Keys that are confined to `swap` or `landing` open the landing port, and keys for other products do not.',
    check: async (world) => {
      for (const { name, basePaths } of KEYED_PRODUCTS) {
        const answer = await askLandingPort(world, { key: await createConfinedKey(world, name) });
        const isCovered = basePaths.some((base) => LANDING_PATH.startsWith(`${base}/`));
        const problem = isCovered
          ? unless(answer.status !== 403, shown(answer))
          : difference(answer, NO_ACCESS);
        if (problem !== null) return `${name}: ${problem}`;
      }
      return null;
    },
  },
  {
    id: 'every-path/landing-port-rules',
    says: 'Rules judge the landing port by the path that the REST port has for it, and the request log shows that path.',
    check: async (world) => {
      const { key, entry } = await teamWithout(world, '/tx');
      const answer = await askLandingPort(world, { key });
      const logged = await entry();
      const others = await teamWithout(world, '/swap');
      const other = await askLandingPort(world, { key: others.key });
      return firstOf(
        difference(answer, DENIED),
        unless(logged.path === LANDING_PATH, logged),
        unless(other.status !== 403, shown(other)),
      );
    },
  },
];

export const everyPath: readonly Statement[] = [...aliases, ...landingPort];
