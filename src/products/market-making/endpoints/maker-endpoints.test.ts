import { beforeEach, describe, expect, it } from 'vitest';
import { createUnaccountedWork } from '../../../common/work/work.ts';
import { createBookBid, type MakerBid } from '../../../swaps/engines/maker-bid.ts';
import type { GivenOrder } from '../../../swaps/ledger/given-order.ts';
import type { LastLookAnswer } from '../../../swaps/ledger/ledger-records.ts';
import { readMakerStatistics } from '../../../swaps/ledger/maker-statistics.ts';
import { createSwapFailure } from '../../../swaps/orders/execution-result.ts';
import { openForEach } from '../../../testing/opened.ts';
import { createTestDesk } from '../../../testing/rfq/test-desk.ts';
import { makerRecord, openTestRfq } from '../../../testing/rfq/test-rfq.ts';
import { STORES } from '../../../testing/store/test-store.ts';
import {
  createGivenOrder,
  createWaitingOrder,
  openTestLedger,
  SOL,
  TAKER,
  USDC,
} from '../../../testing/swaps/test-ledger.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import { OtherAnswer } from '../../endpoint.ts';
import { makerBooks } from './maker-books.ts';
import { makerOrders } from './maker-orders.ts';
import { makerStatistics } from './maker-statistics.ts';
import { makerStatus } from './maker-status.ts';

describe.each(STORES)('what a maker reads on %s', (kind) => {
  const timers = openForEach(() => new ManualTimers());
  const test = openForEach(() => openTestLedger(kind, timers), 'cleanUp');
  const ledger = openForEach(() => test.open(), 'close');
  const desk = openForEach(async () => {
    const rfq = await openTestRfq();
    const quoting = makerRecord(rfq.chain, 2, { id: 'quoting', name: '<b>Quoting</b>' });
    rfq.rfq.setRecords([makerRecord(rfq.chain), quoting]);
    return createTestDesk(rfq);
  });
  beforeEach(setUp);

  it('is its own part in orders, and nothing of other makers', async () => {
    const { orders, next } = await ask(makerOrders, 'key-of-beta');
    expect(next).toBeNull();
    expect(orders).toMatchObject([
      { requestId: 'three', result: 'lost', reason: 'late', quotedIn: '7', quotedOut: '8', fill: null },
      {
        requestId: 'two',
        result: 'won',
        reason: null,
        fill: {
          state: 'expired',
          taker: TAKER,
          lastLookMs: 40,
          answer: 'signed',
          failure: 'the taker could not pay',
        },
      },
      { requestId: 'one', result: 'lost', reason: 'price', inputMint: SOL, outputMint: USDC },
    ]);
    // Neither names and prices of others, nor taker, size and price of what was lost.
    expect(JSON.stringify(orders)).not.toMatch(/acme|gamma|100000000|20000000/);
    expect(JSON.stringify([orders[0], orders[2]])).not.toContain(TAKER);
  });

  it('is what it won, lost or was offered, page by page, also with the cursor of another maker', async () => {
    const ids = async (key: string, query: object) =>
      (await ask(makerOrders, key, query)).orders.map(({ requestId }: { requestId: string }) => requestId);
    expect(await ids('key-of-acme', { result: 'won' })).toEqual(['three', 'one']);
    expect(await ids('key-of-acme', { result: 'lost' })).toEqual(['two']);
    expect(await ids('key-of-acme', { result: 'filled' })).toEqual(['one']);
    const { next } = await ask(makerOrders, 'key-of-acme', { limit: 2 });
    expect(await ids('key-of-acme', { limit: 2, cursor: next })).toEqual(['one']);
    const all = (await ask(makerOrders, 'key-of-beta', { cursor: next })).orders;
    expect(all.map(({ quotedIn }: { quotedIn: unknown }) => quotedIn)).toEqual([null]);
  });

  it('is not what an earlier maker with the same id did, which was removed', async () => {
    const { orders } = await ask(makerOrders, 'key-of-acme_again', { since: timers.now() - DAY_MS });
    expect(orders.map(({ requestId }: { requestId: string }) => requestId)).toEqual(['three']);
    expect(await ask(makerStatistics, 'key-of-acme_again')).toMatchObject({ considered: 1, volume: [] });
    const until = timers.now() - 600;
    const before = await ask(makerStatistics, 'key-of-acme_again', { since: until - 5, until });
    expect(before).toMatchObject({ since: until, until, considered: 0, overTime: [] });
  });

  it('adds up to its wins, losses, last look and volume, to the atom', async () => {
    const huge = 18_446_744_073_709_551_615n;
    for (const requestId of ['four', 'five']) {
      ledger.ordered(createGivenOrder(requestId, { makerId: 'acme', bids: [createBookBid('acme', null)] }));
      ledger.offered(createWaitingOrder(requestId), 'acme', timers.now());
      timers.advance(requestId === 'four' ? 10 : 990);
      ledger.answered(requestId, 'acme', 'signed');
      ledger.filled(createWaitingOrder(requestId), 'acme', { state: 'confirmed', answer: SWAPPED });
      const volume = { paid: { mint: USDC, atoms: huge }, received: { mint: SOL, atoms: 5n } };
      ledger.traded(requestId, 'acme', { ...volume, microDollars: 2_000_000_001n });
    }
    expect(await ask(makerStatistics, 'key-of-acme')).toEqual({
      maker: 'acme',
      since: timers.now() + 1 - 7 * DAY_MS,
      until: timers.now() + 1,
      isComplete: true,
      considered: 5,
      won: 4,
      lost: [{ reason: 'price', orders: 1 }],
      behind: countBehind({}),
      behindUnknown: 1,
      lostTo: [{ winner: 'stream', orders: 1 }],
      fills: [{ state: 'confirmed', fills: 3 }],
      lastLook: { answers: 3, p50: 20, p90: 990, p95: 990, p99: 990, max: 990 },
      lastLookTimes: expect.arrayContaining([
        { upToMs: 10, answers: 1 },
        { upToMs: 25, answers: 1 },
        { upToMs: 1_000, answers: 1 },
        { upToMs: null, answers: 0 },
      ]),
      answers: { signed: 3, accepted: 0, rejected: 0, unanswered: 0, tampered: 0 },
      interval: 3_600_000,
      overTime: [{ at: 1_800_000_000_000, considered: 5, won: 4, offered: 3, filled: 3 }],
      volume: expect.arrayContaining([
        { mint: USDC, paid: (2n * huge + 20n).toString(), received: '0' },
        { mint: SOL, paid: '0', received: '20' },
      ]),
      microDollars: '4020000002',
    });
    // Of more orders than may be added up, the newest count.
    const newest = await readMakerStatistics(ledger, 'acme', { since: 0, until: timers.now() + 1 }, 3);
    expect(newest).toMatchObject({ isComplete: false, considered: 3, won: 3, lost: [] });
    expect(await ask(makerStatistics, 'key-of-idle')).toMatchObject({
      considered: 0,
      lastLook: null,
      volume: [],
    });
  });

  it('is by how much it lost, and to whom, without a name, a price or an order of another maker', async () => {
    const lose = (requestId: string, bid: Partial<MakerBid>, order: Partial<GivenOrder> = {}) =>
      ledger.ordered(
        createGivenOrder(requestId, { bids: [{ ...createBookBid('delta', null), ...bid }], ...order }),
      );
    // The order pays 20,000,000 atoms.
    lose('not behind', { estimatedOut: 20_000_001 });
    lose('half a basis point', { estimatedOut: 19_999_000 });
    lose('three', { estimatedOut: 19_994_000 }, { makerId: 'acme' });
    lose(
      'six',
      { quoted: { inAmount: 1n, outAmount: 19_988_000n } },
      { makerId: 'acme', router: 'jupiterz' },
    );
    lose('half', { estimatedOut: 10_000_000 });
    lose('unknown', { estimatedOut: null });
    lose('no number', { estimatedOut: Number.NaN });
    lose('not by the price', { lost: 'volume', estimatedOut: 5 });
    lose('twice', { estimatedOut: 1 });
    lose('twice', { estimatedOut: 20_000_000 });
    const own = await ask(makerStatistics, 'key-of-delta');
    expect(own).toMatchObject({
      considered: 9,
      lost: [
        { reason: 'price', orders: 8 },
        { reason: 'volume', orders: 1 },
      ],
      behind: countBehind({ none: 1, one: 1, five: 1, twenty: 1, more: 2 }),
      behindUnknown: 2,
      lostTo: [
        { winner: 'pools', orders: 6 },
        { winner: 'stream', orders: 1 },
        { winner: 'webhook', orders: 1 },
      ],
    });
    expect(JSON.stringify(own)).not.toMatch(/acme|beta|gamma|20000000|half/);
    expect((await ask(makerStatistics, 'key-of-beta')).lostTo).toEqual([{ winner: 'stream', orders: 1 }]);
  });

  it('counts what became of last look: unanswered, refused and tampered swaps each for themselves', async () => {
    const end = (requestId: string, state: string, answer: LastLookAnswer | null) => {
      ledger.ordered(createGivenOrder(requestId, { makerId: 'delta', bids: [createBookBid('delta', null)] }));
      ledger.offered(createWaitingOrder(requestId), 'delta', timers.now());
      timers.advance(2_000);
      if (answer !== null) ledger.answered(requestId, 'delta', answer);
      const failure = createSwapFailure(-2_000, 'it is over');
      if (state !== 'offered')
        ledger.filled(createWaitingOrder(requestId), 'delta', { state, answer: failure });
    };
    end('late', 'expired', null);
    end('silent', 'expired', 'unanswered');
    end('refused', 'expired', 'rejected');
    end('modified', 'rejected', null);
    end('failed', 'failed', 'signed');
    end('still open', 'offered', null);
    expect(await ask(makerStatistics, 'key-of-delta')).toMatchObject({
      answers: { signed: 1, accepted: 0, rejected: 1, unanswered: 2, tampered: 1 },
      overTime: [{ considered: 6, won: 6, offered: 6, filled: 0 }],
    });
    const { since, until } = { since: timers.now() - 12_000, until: timers.now() + 1 };
    expect((await ask(makerStatistics, 'key-of-delta', { since, until })).interval).toBe(60_000);
  });

  it.each([
    ['no key', undefined, {}, 401],
    ['an empty key', ' ', {}, 401],
    ['a key of an organisation', 'sk_other', {}, 403],
    ['the key of a maker that is disabled', 'key-of-off', {}, 403],
    ['two keys', ['key-of-acme', 'key-of-beta'], {}, 401],
    ['a range that ends before it begins', 'key-of-acme', { since: 5, until: 4 }, 400],
    ['a range that is too long', 'key-of-acme', { since: 0 }, 400],
  ])('is refused for %s', async (_, key, query, status) => {
    const others = status === 400 ? [] : [makerBooks, makerStatus];
    for (const endpoint of [makerOrders, makerStatistics, ...others]) {
      const answer = await call(endpoint, key, query);
      expect(answer).toBeInstanceOf(OtherAnswer);
      expect((answer as OtherAnswer).status).toBe(status);
    }
  });

  it('is its own books and standing, and nothing of a maker that it names', async () => {
    for (const endpoint of [makerBooks, makerStatus]) {
      const own = await ask(endpoint, 'key-of-quoting', { maker: 'maker-1' });
      expect(own.maker).toBe('quoting');
      expect(JSON.stringify(own)).not.toContain('maker-1');
      // A maker that was removed meanwhile has no books any more.
      expect(await call(endpoint, 'key-of-acme')).toMatchObject({ status: 403 });
    }
    expect(await ask(makerBooks, 'key-of-quoting')).toMatchObject({
      total: 0,
      books: [],
      notUsed: 'its swap stream is not connected',
    });
    expect(await ask(makerStatus, 'key-of-quoting')).toMatchObject({
      name: '<b>Quoting</b>',
      status: 'offline',
      breaker: { state: 'off', missesLeft: null },
    });
  });

  it.each([
    'x',
    Buffer.from('["a","b"]').toString('base64url'),
    Buffer.from('[1,"\\u0000"]').toString('base64url'),
  ])('is refused for the cursor %j', async (cursor) => {
    expect(await call(makerOrders, 'key-of-acme', { cursor })).toMatchObject({ status: 400 });
  });

  function setUp(): void {
    const two = [createBookBid('acme', null), createBookBid('beta', null)];
    ledger.ordered(createGivenOrder('one', { makerId: 'acme', bids: two }));
    timers.advance(20);
    ledger.offered(createWaitingOrder('one'), 'acme', timers.now() - 20);
    ledger.answered('one', 'acme', 'signed');
    ledger.filled(createWaitingOrder('one'), 'acme', { state: 'confirmed', answer: SWAPPED });
    const volume = { paid: { mint: USDC, atoms: 20n }, received: { mint: SOL, atoms: 10n } };
    ledger.traded('one', 'acme', { ...volume, microDollars: 20_000_000n });
    timers.advance(1_000);
    ledger.ordered(createGivenOrder('two', { makerId: 'beta', bids: two }));
    ledger.offered(createWaitingOrder('two'), 'beta', timers.now());
    timers.advance(40);
    ledger.answered('two', 'beta', 'signed');
    const answer = createSwapFailure(-2_000, 'the taker could not pay');
    ledger.filled(createWaitingOrder('two'), 'beta', { state: 'expired', answer });
    timers.advance(1_000);
    const quoted = { inAmount: 7n, outAmount: 8n };
    const late = {
      makerId: 'beta',
      channel: 'webhook',
      lost: 'late',
      detail: null,
      quoted,
      estimatedOut: null,
    } as const;
    const gamma = createBookBid('gamma', null);
    ledger.ordered(
      createGivenOrder('three', { makerId: 'acme', bids: [createBookBid('acme', null), late, gamma] }),
    );
  }

  function call(endpoint: MakerEndpoint, key: string | readonly string[] | undefined, query: object = {}) {
    const services = {
      ledger,
      desk,
      now: () => timers.now(),
      findMaker: (given: string) => {
        const [, id] = /^key-of-(\w+)$/.exec(given) ?? [];
        if (id === undefined) return null;
        const createdAt = given === 'key-of-acme_again' ? timers.now() - 500 : 0;
        return { id: id.replace('_again', ''), enabled: id !== 'off', createdAt };
      },
    };
    return endpoint.handle(services, {
      id: 'request',
      query,
      params: {},
      body: null,
      headers: { 'x-api-key': key },
      caller: { kind: 'client', id: '127.0.0.1' },
      work: createUnaccountedWork(),
      beginWork: createUnaccountedWork,
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  const ask = async (endpoint: MakerEndpoint, key: string, query: object = {}): Promise<any> =>
    call(endpoint, key, query);
});

const DAY_MS = 86_400_000;

type MakerEndpoint = Pick<typeof makerOrders, 'handle'>;

/** The classes of the orders that were lost by the price. */
function countBehind(counts: Partial<Record<'none' | 'one' | 'five' | 'twenty' | 'more', number>>) {
  const { none = 0, one = 0, five = 0, twenty = 0, more = 0 } = counts;
  const bounds = [0, 1, 5, 20, null];
  return [none, one, five, twenty, more].map((orders, place) => ({ upToBps: bounds[place], orders }));
}

const SWAPPED = { kind: 'succeeded', signature: 'sig', slot: 1n, amounts: null } as const;
