import { beforeEach, describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { STORES } from '../../testing/store/test-store.ts';
import {
  createGivenOrder,
  createWaitingOrder,
  openTestLedger,
  SOL,
  TAKER,
  USDC,
} from '../../testing/swaps/test-ledger.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { createBookBid, type MakerBid } from '../engines/maker-bid.ts';
import { Code, createSwapFailure, type ExecutionResult } from '../orders/execution-result.ts';
import { readMakerStatistics } from './maker-statistics.ts';
import type { Statement } from '../../store/log/log-database.ts';
import { findOrder, listBids, listBidsOfOrder, listOrders, type LedgerRange } from './ledger-query.ts';

describe.each(STORES)('OrderLedger on %s', (kind) => {
  const timers = openForEach(() => new ManualTimers());
  const test = openForEach(() => openTestLedger(kind, timers), 'cleanUp');
  const ledger = openForEach(() => test.open(), 'close');

  it('keeps an order from when it is given out to its end', async () => {
    const at = timers.now();
    ledger.ordered(createGivenOrder('one'));
    const given = {
      requestId: 'one',
      at,
      organisationId: 'o1',
      taker: TAKER,
      receiver: null,
      inputMint: SOL,
      outputMint: USDC,
      swapMode: 'ExactIn',
      inAmount: 100_000_000n,
      outAmount: 20_000_000n,
      slippageBps: 50,
      feeMint: USDC,
      feeAmount: 0n,
      router: 'metis',
      makerId: null,
      paidBy: 'taker',
      payer: TAKER,
    };
    expect(await findOrder(ledger, 'one')).toEqual({ ...given, execution: null });
    timers.advance(2_000);
    ledger.executing(createWaitingOrder('one'));
    expect(await findOrder(ledger, 'one')).toEqual({
      ...given,
      execution: { begunAt: at + 2_000, result: null },
    });
    timers.advance(400);
    ledger.executed(createWaitingOrder('one'), SWAPPED);
    const result = {
      endedAt: at + 2_400,
      code: 0,
      reason: null,
      signature: 'sig',
      slot: 18_446_744_073_709_551_615n,
      totalInput: 100_000_000n,
      totalOutput: 18_446_744_073_709_551_615n,
    };
    expect(await findOrder(ledger, 'one')).toEqual({ ...given, execution: { begunAt: at + 2_000, result } });
  });

  it('joins what two instances note of an order, in any order', async () => {
    const other = test.open();
    other.executed(createWaitingOrder('one'), SWAPPED);
    await other.flush();
    timers.advance(10);
    ledger.ordered(createGivenOrder('one'));
    ledger.executing(createWaitingOrder('one'));
    const unknown = createSwapFailure(Code.UNKNOWN, 'nobody knows');
    ledger.executed(createWaitingOrder('one'), unknown);
    await ledger.flush();
    expect(await findOrder(other, 'one')).toMatchObject({
      organisationId: 'o1',
      execution: { result: { code: 0, reason: null, signature: 'sig' } },
    });
    // The same if neither was written when the other was noted.
    other.executed(createWaitingOrder('two'), unknown);
    other.executed(createWaitingOrder('two'), SWAPPED);
    other.executed(createWaitingOrder('two'), createSwapFailure(Code.FAILED_TO_LAND, 'not seen'));
    expect(await findOrder(other, 'two')).toMatchObject({ execution: { result: { code: 0, reason: null } } });
    await other.close();
  });

  it('says of each maker why it lost, and of the winner how its fill ended', async () => {
    const bids: MakerBid[] = [
      createBookBid('acme', null),
      createBookBid('beta', null),
      createBookBid('gamma', 'volume'),
      {
        makerId: 'hook',
        channel: 'webhook',
        lost: 'late',
        detail: 'no answer\0 within \x1b[2J250 ms\u202e \ud800',
        quoted: { inAmount: 1n, outAmount: 2n },
        estimatedOut: null,
      },
    ];
    ledger.ordered(createGivenOrder('one', { makerId: 'acme', bids }));
    const offeredAt = timers.now();
    timers.advance(120);
    ledger.offered(createWaitingOrder('one'), 'acme', offeredAt);
    ledger.answered('one', 'acme', 'signed');
    const volume = {
      paid: { mint: USDC, atoms: 20n },
      received: { mint: SOL, atoms: 10n },
      microDollars: 20_000_000n,
    };
    ledger.traded('one', 'acme', volume);
    ledger.filled(createWaitingOrder('one'), 'acme', { state: 'confirmed', answer: SWAPPED });
    const found = await listBidsOfOrder(ledger, 'one');
    expect(found.map(({ makerId, lost, detail }) => [makerId, lost, detail])).toEqual([
      ['acme', null, null],
      ['beta', 'price', null],
      ['gamma', 'volume', null],
      ['hook', 'late', 'no answer within [2J250 ms '],
    ]);
    expect(found[0]).toMatchObject({
      organisationId: 'o1',
      taker: TAKER,
      channel: 'stream',
      fill: {
        ...volume,
        state: 'confirmed',
        offeredAt,
        answeredAt: offeredAt + 120,
        answer: 'signed',
        failure: null,
      },
    });
    expect(found.slice(1).map(({ taker, organisationId, fill }) => [taker, organisationId, fill])).toEqual(
      [1, 2, 3].map(() => [null, null, null]),
    );
    expect(await findOrder(ledger, 'one')).toMatchObject({ execution: { result: { code: 0 } } });
  });

  it('lists newest first, page by page, by organisation, taker and maker', async () => {
    for (let index = 0; index < 23; index++) {
      const id = String(index).padStart(2, '0');
      const caller = { kind: 'organisation', id: index % 2 === 0 ? 'o1' : 'o2' } as const;
      ledger.ordered(createGivenOrder(id, { caller, makerId: index === 7 ? 'acme' : null }));
      // Many have the same millisecond.
      if (index % 5 === 0) timers.advance(1);
    }
    const ids = async (filter: Parameters<typeof listOrders>[1], limit = 100) => {
      const seen: string[] = [];
      let after: LedgerRange['after'] = null;
      for (;;) {
        const page = await listOrders(ledger, filter, { ...ALL, after, limit });
        seen.push(...page.map(({ requestId }) => requestId));
        const last = page.at(-1);
        if (last === undefined || page.length < limit) return seen;
        after = { at: last.at, requestId: last.requestId };
      }
    };
    const newestFirst = Array.from({ length: 23 }, (_, index) => String(22 - index).padStart(2, '0'));
    expect(await ids({}, 4)).toEqual(newestFirst);
    expect(await ids({ organisationId: 'o2' }, 3)).toEqual(newestFirst.filter((id) => Number(id) % 2 === 1));
    expect(await ids({ makerId: 'acme' })).toEqual(['07']);
    expect(await ids({ taker: TAKER })).toHaveLength(23);
    for (const hostile of ["o1' or '1'='1", '%', "'; drop table ledger_orders; --"])
      expect(await ids({ organisationId: hostile, taker: hostile, makerId: hostile })).toEqual([]);
    // A place in the list of another organisation shows nothing of it.
    const foreign = { ...ALL, after: { at: timers.now() + 1, requestId: '22' } };
    expect((await listOrders(ledger, { organisationId: 'o3' }, foreign)).length).toBe(0);
    expect(await findOrder(ledger, '01', 'o1')).toBeNull();
    expect(await findOrder(ledger, '01', 'o2')).not.toBeNull();
  });

  it('lists the fills of all, and what one maker won and lost', async () => {
    const bids = [createBookBid('acme', null), createBookBid('beta', null)];
    ledger.ordered(createGivenOrder('one', { makerId: 'acme', bids }));
    ledger.ordered(createGivenOrder('two', { makerId: 'beta', bids }));
    const refused = createSwapFailure(Code.SWAP_REJECTED, 'the maker did not sign');
    ledger.filled(createWaitingOrder('two'), 'beta', { state: 'expired', answer: refused });
    const list = async (filter: Parameters<typeof listBids>[1]) =>
      (await listBids(ledger, filter, ALL)).map(({ requestId, makerId }) => `${requestId} ${makerId}`);
    expect(await list({ result: 'filled' })).toEqual(['two beta']);
    expect(await list({ result: 'filled', organisationId: 'o1', taker: TAKER })).toEqual(['two beta']);
    expect(await list({ result: 'filled', organisationId: 'o2' })).toEqual([]);
    expect(await list({ makerId: 'acme', result: 'won' })).toEqual(['one acme']);
    expect(await list({ makerId: 'acme', result: 'lost' })).toEqual(['two acme']);
    const [fill] = await listBids(ledger, { result: 'filled' }, ALL);
    expect(fill).toMatchObject({ fill: { failure: 'the maker did not sign', paid: null } });
  });

  it('forgets what is older than the request log is kept', async () => {
    const bids = [createBookBid('acme', null)];
    ledger.ordered(createGivenOrder('old', { bids }));
    timers.advance(3 * DAY_MS);
    ledger.ordered(createGivenOrder('new', { bids }));
    await ledger.flush();
    const short = test.open({ days: 2 });
    await short.prune();
    expect((await listOrders(short, {}, ALL)).map(({ requestId }) => requestId)).toEqual(['new']);
    expect((await listBids(short, {}, ALL)).map(({ requestId }) => requestId)).toEqual(['new']);
    await short.close();
  });

  it('waits for what it is deleting when it is closed, and deletes nothing more', async () => {
    const answers: ((rows: unknown[][]) => void)[] = [];
    const written: (readonly Statement[])[] = [];
    const closing = test.open({
      database: {
        ...test.database,
        now: async () => timers.now(),
        query: () => new Promise((resolve) => answers.push(resolve)),
        write: async (statements) => void written.push(statements),
      },
    });
    timers.advance(3_600_000);
    await expect.poll(() => answers).toHaveLength(1);
    let isClosed = false;
    const closed = closing.close().then(() => {
      isClosed = true;
    });
    await yieldToOtherWork();
    expect(isClosed).toBe(false);
    answers[0]?.([[0]]);
    await expect.poll(() => answers).toHaveLength(2);
    answers[1]?.([]);
    await closed;
    expect(written).toEqual([]);
  });

  it('keeps a bounded number of the orders of a flood, says so, and keeps those of others', async () => {
    for (let index = 0; index < 1_000; index++) ledger.ordered(createGivenOrder(`flood ${index}`));
    const calm = { caller: { kind: 'organisation', id: 'o2' } } as const;
    ledger.ordered(createGivenOrder('calm', calm));
    expect(ledger.lost).toBe(800);
    expect(await findOrder(ledger, 'calm')).not.toBeNull();
    expect(await listOrders(ledger, { organisationId: 'o1' }, { ...ALL, limit: 1_000 })).toHaveLength(200);
    // An order that was left out is known from its execution on.
    ledger.executing(createWaitingOrder('flood 999'));
    expect(await findOrder(ledger, 'flood 999')).toMatchObject({ organisationId: null, taker: TAKER });
    timers.advance(1_000);
    ledger.ordered(createGivenOrder('later'));
    expect(await findOrder(ledger, 'later')).not.toBeNull();
  });

  it('notes a bounded number of makers of an order, the winner among them', async () => {
    const bids = Array.from({ length: 100 }, (_, index) => createBookBid(`maker-${index}`, null));
    ledger.ordered(createGivenOrder('one', { makerId: 'maker-99', bids }));
    const found = await listBidsOfOrder(ledger, 'one');
    expect(found).toHaveLength(32);
    expect(found.filter(({ lost }) => lost === null).map(({ makerId }) => makerId)).toEqual(['maker-99']);
  });

  describe('while the database does not answer', () => {
    let isDown: boolean;
    const defects: unknown[] = [];
    beforeEach(() => {
      isDown = true;
      defects.length = 0;
    });

    it('keeps nobody waiting, and writes later what was noted', async () => {
      const { database } = test;
      const failing = test.open({
        database: {
          ...database,
          write: (statements) =>
            isDown ? Promise.reject(new Error('the database is away')) : database.write(statements),
        },
        onDefect: (error) => defects.push(error),
      });
      failing.ordered(createGivenOrder('one'));
      await failing.flush();
      expect(defects.map(String)).toEqual(['Error: the database is away']);
      failing.executed(createWaitingOrder('one'), SWAPPED);
      isDown = false;
      expect(await findOrder(failing, 'one')).toMatchObject({
        organisationId: 'o1',
        execution: { result: { code: 0 } },
      });
      await failing.close();
    });
  });

  it('reads the rows of a maker once, and none that it did not ask for', async () => {
    ledger.ordered(createGivenOrder('one', { makerId: 'acme', bids: [createBookBid('acme', null)] }));
    const asked: [text: string, parameters: Statement['parameters']][] = [];
    const query: typeof test.database.query = (...given) => {
      asked.push(given);
      return test.database.query(...given);
    };
    const other = test.open({ database: { ...test.database, query } });
    await ledger.flush();
    expect(await readMakerStatistics(other, 'acme', ALL)).toMatchObject({ considered: 1, won: 1 });
    expect(asked).toHaveLength(1);
    for (const result of ['lost', 'filled'] as const) {
      expect(await listBids(other, { makerId: 'acme', result }, ALL)).toEqual([]);
    }
    expect(await listBids(other, { organisationId: 'o1', result: 'filled' }, ALL)).toEqual([]);
    await other.close();
    if (kind === 'postgresql') return;
    const plans = await Promise.all(
      asked.slice(1).map(([text, values]) => test.database.query(`explain query plan ${text}`, values)),
    );
    expect(plans.map(String)).toEqual([
      expect.stringContaining('ledger_losses (maker=? AND at>? AND at<?)'),
      expect.stringContaining('ledger_offers (maker=? AND at>? AND at<?)'),
      expect.stringContaining('ledger_owner_fills (owner=? AND at>? AND at<?)'),
    ]);
  });
});

const DAY_MS = 86_400_000;
const ALL: LedgerRange = { since: 0, until: Number.MAX_SAFE_INTEGER, after: null, limit: 100 };
const SWAPPED: ExecutionResult = {
  kind: 'succeeded',
  signature: 'sig',
  slot: 18_446_744_073_709_551_615n,
  amounts: {
    totalInput: 100_000_000n,
    totalOutput: 18_446_744_073_709_551_615n,
    routeInput: 0n,
    routeOutput: 0n,
    steps: [],
  },
};
