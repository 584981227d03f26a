import { connect } from 'node:net';
import { difference, firstOf, unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL, USDC } from './mints.ts';

const LABELS = '/swap/v1/program-id-to-label';
const ORDER = `inputMint=${SOL}&outputMint=${USDC}&amount=100000000`;
const NO_ACCESS = {
  status: 403,
  body: { code: 403, message: 'API key does not have access to this endpoint' },
};
const UNAUTHORIZED = { status: 401, body: { code: 401, message: 'Unauthorized' } };

/** Makes an organisation with a team and gives the path of the team's keys. */
async function newTeam(world: World) {
  const { slug, team, key } = await world.newOrganisation();
  const keys = `/admin/v1/organisations/${slug}/teams/${team}/keys`;
  const create = (body: object) => world.admin('POST', keys, body);
  return { slug, key, keys, create };
}

/** Sends header lines as they stand, which `fetch` cannot. */
function statusLineOf(world: World, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(world.restUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.end([`GET ${LABELS} HTTP/1.1`, 'host: a', 'connection: close', ...lines, '', ''].join('\r\n'));
    });
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('end', () => resolve(text.split('\r\n', 1)[0] ?? ''));
    socket.on('error', reject);
  });
}

function headerLines(id: string, says: string, lines: readonly string[], status: number): Statement {
  return {
    id: `keys/${id}`,
    says,
    check: async (world) => {
      const line = await statusLineOf(world, lines);
      return unless(line.startsWith(`HTTP/1.1 ${status} `), line);
    },
  };
}

/** @param status 403: closed; otherwise what the endpoint answers when the key opens its path */
function restricted(id: string, says: string, path: string, status: 'open' | 'closed'): Statement {
  return {
    id: `keys/restricted-${id}`,
    says,
    check: async (world) => {
      const { create } = await newTeam(world);
      const { json } = await create({ name: 'swap only', products: ['swap'] });
      const answer = await world.ask(path, { key: json.key });
      return status === 'closed'
        ? difference(answer, NO_ACCESS)
        : unless(answer.status !== 403, answer.status);
    },
  };
}

export const keyStatements: readonly Statement[] = [
  headerLines('absent', 'A request without x-api-key is keyless.', [], 200),
  headerLines('empty', 'An empty x-api-key is keyless.', ['x-api-key:'], 200),
  headerLines('blank', 'A blank x-api-key is keyless.', ['x-api-key:  \t '], 200),
  headerLines('unknown', 'An unknown key is refused with 401.', ['x-api-key: jup_unknown'], 401),
  headerLines('twice', 'Two x-api-key headers are refused with 401.', ['x-api-key: a', 'x-api-key: b'], 401),
  headerLines(
    'twice-empty',
    'A second x-api-key is refused even if the first is empty.',
    ['x-api-key:', 'x-api-key: b'],
    401,
  ),
  {
    id: 'keys/unauthorized',
    says: 'The body of a 401 is {"code":401,"message":"Unauthorized"}.',
    check: async (world) => difference(await world.ask(LABELS, { key: 'jup_unknown' }), UNAUTHORIZED),
  },
  {
    id: 'keys/no-rate-headers',
    says: 'A 401 carries no rate limit headers.',
    check: async (world) => {
      const { headers } = await world.ask(LABELS, { key: 'jup_unknown' });
      return unless(headers.get('x-ratelimit-remaining') === null, [...headers.keys()]);
    },
  },
  {
    id: 'keys/shown-once',
    says: 'A key begins with jup_ and is shown whole once, at its creation.',
    check: async (world) => {
      const { create, keys } = await newTeam(world);
      const { key } = (await create({ name: 'ci' })).json;
      const list = await world.admin('GET', keys);
      return unless(key.startsWith('jup_') && !list.text.includes(key), list.json);
    },
  },
  {
    id: 'keys/excerpt',
    says: 'A list shows the first and last characters of a key.',
    check: async (world) => {
      const { key, keys } = await newTeam(world);
      const [listed] = (await world.admin('GET', keys)).json.keys;
      return unless(listed.excerpt === `${key.slice(0, 8)}...${key.slice(-4)}`, listed);
    },
  },
  {
    id: 'keys/name-required',
    says: 'A key needs a name.',
    check: async (world) => difference(await (await newTeam(world)).create({}), { status: 400 }),
  },
  {
    id: 'keys/name-unique',
    says: 'The name of a key is unique inside its team.',
    check: async (world) => difference(await (await newTeam(world)).create({ name: 'key' }), { status: 409 }),
  },
  {
    id: 'keys/rename',
    says: 'A key can be renamed, and goes on working.',
    check: async (world) => {
      const { key, keys } = await newTeam(world);
      const renamed = await world.admin('PATCH', `${keys}/key`, { name: 'other' });
      return firstOf(
        difference(renamed, { status: 200, body: { name: 'other' } }),
        difference(await world.ask(LABELS, { key }), { status: 200 }),
      );
    },
  },
  {
    id: 'keys/rename-taken',
    says: 'A key cannot take the name of another key of its team.',
    check: async (world) => {
      const { create, keys } = await newTeam(world);
      await create({ name: 'ci' });
      return difference(await world.admin('PATCH', `${keys}/ci`, { name: 'key' }), { status: 409 });
    },
  },
  {
    id: 'keys/rename-in-rules',
    says: 'A firewall rule that names a key holds for it after it was renamed.',
    check: async (world) => {
      const { slug, key, keys } = await newTeam(world);
      const groups = [[{ type: 'key', values: ['key'] }]];
      const rules = `/admin/v1/organisations/${slug}/teams/team/rules`;
      await world.admin('POST', rules, { name: 'no', groups, action: { type: 'deny' } });
      await world.admin('PATCH', `${keys}/key`, { name: 'other' });
      return difference(await world.ask(LABELS, { key }), { status: 403 });
    },
  },
  {
    id: 'keys/delete',
    says: 'A deleted key is refused with 401.',
    check: async (world) => {
      const { key, keys } = await newTeam(world);
      await world.admin('DELETE', `${keys}/key`);
      return difference(await world.ask(LABELS, { key }), UNAUTHORIZED);
    },
  },
  {
    id: 'keys/delete-team',
    says: 'The keys of a deleted team are refused with 401.',
    check: async (world) => {
      const { slug, key } = await newTeam(world);
      await world.admin('DELETE', `/admin/v1/organisations/${slug}/teams/team`);
      return difference(await world.ask(LABELS, { key }), UNAUTHORIZED);
    },
  },
  {
    id: 'keys/default-reach',
    says: 'A new key opens every product.',
    check: async (world) => {
      const [listed] = (await world.admin('GET', (await newTeam(world)).keys)).json.keys;
      return unless(listed.products === null, listed);
    },
  },
  restricted('swap', 'A key for swap opens /swap/v2.', `/swap/v2/build?${ORDER}&taker=${SOL}`, 'open'),
  restricted('swap-v1', 'A key for swap opens /swap/v1.', LABELS, 'open'),
  restricted('tx', 'A key for swap opens /tx/v1/submit.', '/tx/v1/submit', 'open'),
  restricted('ultra', 'A key for swap does not open /ultra/v1.', `/ultra/v1/order?${ORDER}`, 'closed'),
  restricted('case', 'The paths of a product are case-sensitive.', '/Swap/v1/program-id-to-label', 'closed'),
  restricted('prefix', 'A path that only begins like a product is closed.', '/swapped', 'closed'),
  {
    id: 'keys/full-ultra',
    says: 'A key without restriction opens /ultra/v1.',
    check: async (world) => difference(await world.ask(`/ultra/v1/order?${ORDER}`), { status: 200 }),
  },
  {
    id: 'keys/permission-change',
    says: 'A change of permissions takes effect within 15 seconds.',
    check: async (world) => {
      const { create, keys } = await newTeam(world);
      const { key } = (await create({ name: 'ci', products: ['swap'] })).json;
      await world.admin('PATCH', `${keys}/ci`, { products: null });
      return difference(await world.ask(`/ultra/v1/order?${ORDER}`, { key }), { status: 200 });
    },
  },
  {
    id: 'keys/limit-is-of-organisation',
    says: 'Keys of one organisation are counted together.',
    check: async (world) => {
      const { key, create } = await newTeam(world);
      const other = (await create({ name: 'ci' })).json.key;
      await world.ask(LABELS, { key });
      const { headers } = await world.ask(LABELS, { key: other });
      return unless(headers.get('x-ratelimit-current') === '2', headers.get('x-ratelimit-current'));
    },
  },
];
