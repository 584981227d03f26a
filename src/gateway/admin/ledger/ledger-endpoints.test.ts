import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { acceptInvitation, invite } from '../../../platform/accounts/invitations.ts';
import { createOrganisation } from '../../../platform/accounts/organisations.ts';
import { createBookBid } from '../../../swaps/engines/maker-bid.ts';
import type { OrderLedger } from '../../../swaps/ledger/order-ledger.ts';
import { createSwapFailure } from '../../../swaps/orders/execution-result.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import {
  createGivenOrder,
  createWaitingOrder,
  openTestLedger,
  TAKER,
} from '../../../testing/swaps/test-ledger.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createAdminServer } from '../server.ts';

let app: FastifyInstance;
let ids: { readonly acme: string; readonly other: string };
const platform = openForEach(openTestPlatform, 'cleanUp');
const clock = { now: () => platform.now(), after: SYSTEM_TIMERS.after };
const test = openForEach(() => openTestLedger('sqlite', clock), 'cleanUp');
const ledger: OrderLedger = openForEach(() => test.open(), 'close');
beforeEach(setUp);
afterEach(() => closeServer(app));

describe('the ledger of orders', () => {
  it('shows the operator orders with the makers that were considered, and fills', async () => {
    noteFill('one', ids.acme);
    const { body } = await get('orders/one');
    expect(body.order).toMatchObject({
      requestId: 'one',
      organisation: 'acme',
      taker: TAKER,
      inAmount: '100000000',
      outAmount: '20000000',
      router: 'metis',
      maker: 'maker-1',
      execution: { code: -2_004, reason: 'the maker did not sign', signature: null, slot: null },
    });
    expect(body.makers).toMatchObject([
      { maker: 'maker-1', lost: null, fill: { state: 'expired', answer: null, lastLookMs: null } },
      { maker: 'maker-2', lost: 'price', fill: null },
    ]);
    expect((await get('fills?maker=maker-1')).body).toMatchObject({
      fills: [{ requestId: 'one', maker: 'maker-1', organisation: 'acme', taker: TAKER }],
      next: null,
      dropped: 0,
    });
    expect((await get('fills?maker=maker-2')).body.fills).toEqual([]);
  });

  it('pages by a cursor', async () => {
    for (let index = 0; index < 5; index++) ledger.ordered(createGivenOrder(`order-${index}`));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Answer = await get(`orders?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.body.orders.map(({ requestId }: { requestId: string }) => requestId));
      cursor = page.body.next;
    }
    expect(seen.sort()).toEqual([0, 1, 2, 3, 4].map((index) => `order-${index}`));
  });

  it('shows a member the orders of its organisation alone, also with a cursor of another one', async () => {
    noteFill('one', ids.acme);
    for (const id of ['two', 'three']) noteFill(id, ids.other);
    const headers = { authorization: `Bearer ${await memberOf('acme', 'ann')}` };
    const own = await get('organisations/acme/orders', headers);
    expect(own.body.orders).toMatchObject([{ requestId: 'one', organisation: 'acme' }]);
    const fills = await get('organisations/acme/fills', headers);
    expect(fills.body.fills).toMatchObject([{ requestId: 'one', taker: TAKER }]);
    // Who else was asked, and why it lost, is between the makers and the operator.
    expect((await get('organisations/acme/orders/one', headers)).body).not.toHaveProperty('makers');
    expect(await get('organisations/acme/orders/two', headers)).toMatchObject({
      status: 404,
      body: { error: 'there is no order "two"' },
    });
    const { next } = (await get('organisations/other/orders?limit=1')).body;
    const page = await get(`organisations/acme/orders?cursor=${next}`, headers);
    expect(page.body.orders.every(({ requestId }: { requestId: string }) => requestId === 'one')).toBe(true);
    for (const path of [
      'orders',
      'fills',
      'orders/one',
      'organisations/other/orders',
      'organisations/other/fills',
    ])
      expect((await get(path, headers)).status, path).toBe(403);
    expect((await get('orders', {})).status).toBe(401);
  });

  it('finds an order by what its taker signed, however old it is, and lists those of an outcome', async () => {
    noteFill('one', ids.acme);
    const before = test.open({ timers: { ...clock, now: () => platform.now() - 30 * 86_400_000 } });
    before.executed(createWaitingOrder('two'), createSwapFailure(-1_000, 'it did not land', SIGNATURE));
    await before.close();
    const found = async (path: string) =>
      (await get(path)).body.orders.map(({ requestId }: { requestId: string }) => requestId);
    expect(await found('orders?outcome=failed&router=metis')).toEqual(['one']);
    expect(await found('orders?outcome=never-executed')).toEqual([]);
    expect(await found('orders?code=-2004&since=0')).toEqual(['one']);
    expect(await found('orders?outcome=failed&since=0')).toEqual(['one', 'two']);
    expect(await found(`orders?signature=${SIGNATURE}`)).toEqual(['two']);
    expect(await found(`organisations/acme/orders?signature=${SIGNATURE}`)).toEqual([]);
    expect((await get('fills?state=expired')).body.fills).toMatchObject([{ requestId: 'one' }]);
    expect((await get('fills?state=confirmed')).body.fills).toEqual([]);
  });

  it.each([
    ['orders?outcome=lost', 400],
    ['orders?code=1.5', 400],
    ['orders?router=A', 400],
    ['orders?state=failed', 400],
    ['fills?state=never', 400],
    ['fills?outcome=failed', 400],
    ['orders?taker=%00', 400],
    ["orders?taker=' or '1'='1", 400],
    ['orders?maker=a/b', 400],
    ['orders?since=-1', 400],
    ['orders?since=5&until=4', 400],
    ['orders?limit=100000', 400],
    ['orders?cursor=x', 400],
    [`orders?cursor=${Buffer.from('[1,"\\u0000"]').toString('base64url')}`, 400],
    ['orders?signature=x', 400],
    ['orders?organisation=nobody', 404],
    ['orders/%00', 400],
    ['orders/nothing', 404],
  ])('refuses %s', async (path, status) => {
    expect((await get(path.replaceAll(' ', '%20'))).status).toBe(status);
  });
});

const SIGNATURE = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM5jNkmVbQz5mPZQ5Qm6Tz4mN5yyk8TmcqDHEt2CF2yFYnE';
const ACTOR = { who: 'test', from: 'here' };
const OPERATOR = { standing: 'operator', memberId: null } as const;

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Answer = { readonly status: number; readonly body: any };

async function setUp(): Promise<void> {
  const create = async (slug: string) =>
    unwrap(await createOrganisation(platform, ACTOR, { slug, plan: 'developer' })).id;
  ids = { acme: await create('acme'), other: await create('other') };
  app = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    limiter: createInProcessLimiter(),
    ledger,
    production: true,
    credential: OPERATOR_CREDENTIAL,
  });
}

async function get(path: string, headers: Record<string, string> = AS_OPERATOR): Promise<Answer> {
  const answer = await app.inject({ method: 'GET', url: `/admin/v1/${path}`, headers });
  return { status: answer.statusCode, body: answer.json() };
}

function noteFill(requestId: string, organisationId: string): void {
  const bids = [createBookBid('maker-1', null), createBookBid('maker-2', null)];
  const caller = { kind: 'organisation', id: organisationId } as const;
  ledger.ordered(createGivenOrder(requestId, { caller, makerId: 'maker-1', bids }));
  const answer = createSwapFailure(-2_004, 'the maker did not sign');
  ledger.filled(createWaitingOrder(requestId), 'maker-1', { state: 'expired', answer });
}

async function memberOf(organisation: string, name: string): Promise<string> {
  const invitation = { organisation, name, role: 'member' as const };
  const { token } = unwrap(await invite(platform, ACTOR, OPERATOR, invitation));
  return unwrap(await acceptInvitation(platform, 'test', token)).token;
}
