import type { EndpointExample } from '../../../products/endpoint.ts';
import { EXAMPLE_MINTS, EXAMPLE_TRANSACTION, EXAMPLE_WALLET } from '../../../products/example-values.ts';

const { usdc: USDC } = EXAMPLE_MINTS;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const SIGNATURE = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM5jNkmVbQz5mPZQ5Qm6Tz4mN5yyk8TmcqDHEt2CF2yFYnE';

/** The values of paths in examples that read: what every sandbox has, where it has one. */
const READ_PARAMS: Readonly<Record<string, string>> = {
  organisation: 'demo',
  team: 'demo',
  maker: 'demo-maker',
  plan: 'free',
  mint: USDC,
  event: 'DEMO-1001',
  market: 'DEMO-1001-1',
  symbol: 'SOL',
  member: 'ada@example.com',
  key: 'app',
  rule: 'no-scrapers',
  alert: 'SluicePartDown',
  signature: SIGNATURE,
  order: '0199b2f4-5b6c-7000-8000-000000000000',
};
/** Examples that write change what other examples have created, and not the objects of the sandbox. */
const WRITE_PARAMS: Readonly<Record<string, string>> = {
  ...READ_PARAMS,
  organisation: 'acme',
  team: 'web',
  maker: 'acme-maker',
  event: 'WEATHER-1',
  market: 'WEATHER-1-1',
};

/** The values of `:name`, by what stands before it. */
const NAMES: Readonly<Record<string, string>> = {
  invitations: 'ada@example.com',
  landings: SIGNATURE,
  snapshots: 'before-my-test',
  wallets: 'demo',
};

/** The bodies of examples by method and path. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /admin/v1/session': { credential: 'the operator’s credential, or a member’s token', name: 'ann' },
  'PATCH /admin/v1/plans/:plan': { main: 120 },
  'POST /admin/v1/organisations': { slug: 'acme', plan: 'developer' },
  'PATCH /admin/v1/organisations/:organisation': { plan: 'launch' },
  'POST /admin/v1/organisations/:organisation/teams': { slug: 'web' },
  'POST /admin/v1/organisations/:organisation/teams/:team/keys': { name: 'app' },
  'PATCH /admin/v1/organisations/:organisation/teams/:team/keys/:key': { products: null },
  'PATCH /admin/v1/organisations/:organisation/members/:member': { role: 'admin' },
  'POST /admin/v1/organisations/:organisation/members/:member/token': {},
  'POST /admin/v1/organisations/:organisation/invitations': { name: 'ada@example.com', role: 'owner' },
  'POST /admin/v1/invitations/accept': { token: 'the token of the invitation' },
  'POST /admin/v1/organisations/:organisation/teams/:team/rules': {
    name: 'no-scrapers',
    groups: [[{ type: 'header', name: 'user-agent', values: ['scraper'] }]],
    action: { type: 'rate-limit', limit: 10, window: '1m', per: 'ip' },
  },
  'PATCH /admin/v1/organisations/:organisation/teams/:team/rules/:rule': { enabled: false },
  'POST /admin/v1/organisations/:organisation/teams/:team/firewall-test': {
    path: '/portal',
    headers: { 'user-agent': 'scraper' },
  },
  'POST /admin/v1/organisations/:organisation/teams/:team/firewall-preview': {
    rule: { groups: [[{ type: 'path', values: ['/portal'] }]], action: { type: 'deny' } },
    limit: 1_000,
  },
  'POST /admin/v1/makers': { id: 'acme-maker', address: EXAMPLE_WALLET, name: 'Acme' },
  'PATCH /admin/v1/makers/:maker': { name: 'Acme Trading' },
  'PUT /admin/v1/tokens/:mint': { level: 'verified', tags: ['stable'] },
  'POST /admin/v1/prediction-events': {
    eventId: 'WEATHER-1',
    title: 'Weather in Lisbon on New Year 2030',
    category: 'culture',
    closeAt: 1_893_456_000,
    markets: [{ marketId: 'WEATHER-1-1', title: 'Will it rain?' }],
  },
  'POST /admin/v1/prediction-markets/:market/resolve': { result: 'yes' },
  'POST /admin/v1/prediction-events/:event/score': { score: '2-1', period: '2H', state: 'live' },
  'POST /admin/v1/network/faucet': { wallet: EXAMPLE_WALLET, mint: USDC, amount: '1000000000' },
  'POST /admin/v1/network/clock': { seconds: 10 },
  'POST /admin/v1/network/accounts': {
    accounts: [
      { address: EXAMPLE_WALLET, account: { lamports: '5000000000', owner: SYSTEM_PROGRAM, data: '' } },
    ],
  },
  'POST /admin/v1/network/snapshots': { name: 'before-my-test' },
  'PUT /admin/v1/network/snapshots/:name/content': { content: 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=' },
  'PUT /admin/v1/network/faults': { drop: 0.1, delaySlots: 2 },
  'POST /admin/v1/network/faults/next': { effect: 'drop', count: 1 },
  'POST /admin/v1/network/faults/rpc': { method: 'getLatestBlockhash', status: 429, count: 1 },
  'POST /admin/v1/network/faults/requests': { path: '/*', status: 503, count: 1 },
  'PUT /admin/v1/network/prices/:symbol': { price: '205.5' },
  'PUT /admin/v1/network/prices/:symbol/walk': { deviation: 1, drift: 0.1 },
  'PUT /admin/v1/network/price-follower': { following: true },
  'POST /admin/v1/network/wallets/:name/sign': { transaction: EXAMPLE_TRANSACTION },
  'POST /admin/v1/network/makers/:maker/check': { waitSeconds: 10 },
};

/** The paths of `BODIES`, for the test that holds that each is an endpoint. */
export const ADMIN_BODY_EXAMPLES: ReadonlySet<string> = new Set(Object.keys(BODIES));

/** Returns the request that the documentation shows of an endpoint of the admin interface. */
export function getAdminExample(method: string, path: string): EndpointExample {
  const values = method === 'GET' ? READ_PARAMS : WRITE_PARAMS;
  const params = [...path.matchAll(/([\w-]+)\/:(\w+)/g)].flatMap(([, before = '', name = '']) => {
    const value = name === 'name' ? NAMES[before] : values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const body = BODIES[`${method} ${path}`];
  return { params: Object.fromEntries(params), ...(body === undefined ? {} : { body }) };
}
