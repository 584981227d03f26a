import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { createAdminServer } from '../../../gateway/admin/server.ts';
import { listen } from '../../../gateway/http/listen.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../../gateway/server/server.ts';
import { createSwapFailure } from '../../../swaps/orders/execution-result.ts';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { createGivenOrder, createWaitingOrder, openTestLedger } from '../../../testing/swaps/test-ledger.ts';
import { createOpenOrder, insertStoredOrder } from '../../../testing/waiting-orders/stored-order.ts';
import { createTestOrderStore } from '../../../testing/waiting-orders/test-order-store.ts';

let port: string;
const platform = openForEach(openTestPlatform, 'cleanUp');
const clock = { now: () => platform.now(), after: SYSTEM_TIMERS.after };
const test = openForEach(() => openTestLedger('sqlite', clock), 'cleanUp');
const ledger = openForEach(() => test.open(), 'close');
const server = openForEach(() =>
  createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    ledger,
    waitingOrders: {
      store: platform.store,
      orders: createTestOrderStore(platform.store),
      priceOf: () => 220,
    },
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
  }),
);
beforeEach(setUp);
afterEach(() => closeServer(server));

describe('sluice order', () => {
  it('tells a caller without a key from one that is not known', async () => {
    ledger.ordered(createGivenOrder('keyless', { caller: { kind: 'client', id: '10.0.0.1' } }));
    ledger.executed(createWaitingOrder('ended'), createSwapFailure(-1_000, 'it did not land'));
    expect(await sluice('order', 'show', 'keyless')).toMatch(/^for +a caller without a key$/m);
    expect(await sluice('order', 'show', 'ended')).toMatch(/^for +not known$/m);
    const listed = await sluice('order', 'list');
    expect(listed).toMatch(/ keyless .* no key +not executed/);
    expect(listed).toMatch(/ ended .* not known +failed with code -1000/);
    const failed = await sluice(
      'order',
      'list',
      '--outcome',
      'failed',
      '--code',
      '-1000',
      '--router',
      'metis',
    );
    expect(failed).toContain(' ended ');
    expect(failed).not.toContain(' keyless ');
    expect(await sluice('fill', 'list', '--state', 'expired')).not.toContain(' ended ');
  });

  it('lists the orders that wait, and shows why one is not filled', async () => {
    const order = createOpenOrder(1, { waitsFor: 'gas', failures: 2, expiresAt: 8_000_000_000_000 });
    await insertStoredOrder(platform.store.db, order, [
      { kind: 'deposit' },
      { kind: 'fill', outcome: 'failed', triggeredPrice: 211 },
    ]);
    const line = new RegExp(`^${order.id} .* above 210 +open +gas .* the gas wallet is empty`, 'm');
    expect(await sluice('order', 'waiting')).toMatch(line);
    expect(await sluice('order', 'waiting', '--reason=gas', '--state=open')).toMatch(line);
    expect(await sluice('order', 'waiting', '--reason=price')).not.toMatch(line);
    const shown = await sluice('order', 'show', order.id);
    expect(shown).toMatch(
      /^why +the gas wallet is empty, or has spent the budget of the day \(2 in a row\)$/m,
    );
    expect(shown).toMatch(/^trigger +\w+ above 210$/m);
    expect(shown).toMatch(/^price now +220$/m);
    expect(shown).toMatch(/^2 +fill +failed +1000000000 +211 /m);
  });
});

it.each([
  [
    '--reason=foo',
    'flag --reason is "foo", but must be one of gas, price, band, route, refused, unpriced, unavailable',
  ],
  ['--state=foo', 'flag --state is "foo", but must be one of depositing, open, executing, '],
])('sluice order waiting %s is refused by the name of the flag', async (flag, message) => {
  const { code, out, err } = await runForTest([
    ...['order', 'waiting', flag, `--admin-port=${port}`],
    `--admin-credential=${OPERATOR_CREDENTIAL}`,
  ]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

async function setUp(): Promise<void> {
  port = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
}

async function sluice(...args: string[]): Promise<string> {
  const flags = [`--admin-port=${port}`, `--admin-credential=${OPERATOR_CREDENTIAL}`];
  const { code, out, err } = await runForTest([...args, ...flags]);
  expect(code, err).toBe(0);
  return out;
}
