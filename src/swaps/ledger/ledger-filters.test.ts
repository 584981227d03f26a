import { beforeEach, describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { STORES } from '../../testing/store/test-store.ts';
import {
  createGivenOrder,
  createWaitingOrder,
  openTestLedger,
  TAKER,
} from '../../testing/swaps/test-ledger.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { address } from '../../solana/address.ts';
import type { Statement } from '../../store/log/log-database.ts';
import { createBookBid } from '../engines/maker-bid.ts';
import { createSwapFailure, type ExecutionResult } from '../orders/execution-result.ts';
import { type BidFilter, listBids, listOrders, type OrderFilter } from './ledger-query.ts';

describe.each(STORES)('what is looked for in the ledger on %s', (kind) => {
  const timers = openForEach(() => new ManualTimers());
  const test = openForEach(() => openTestLedger(kind, timers), 'cleanUp');
  const ledger = openForEach(() => test.open(), 'close');
  beforeEach(noteOrders);

  it('are the orders of an outcome, which are told apart', async () => {
    expect(await find({ outcome: 'never-executed' })).toEqual(['given']);
    expect(await find({ outcome: 'open' })).toEqual(['running']);
    expect(await find({ outcome: 'succeeded' })).toEqual(['swapped']);
    expect(await find({ outcome: 'failed' })).toEqual(['missed', 'runtime', 'slipped']);
    expect(await find({ outcome: 'unknown' })).toEqual(['unheard']);
  });

  it('are the orders of a signature, a code and a router, alone and together', async () => {
    expect(await find({ signature: 'sig-swapped' })).toEqual(['swapped']);
    expect(await find({ signature: "x' or '1'='1" })).toEqual([]);
    expect(await find({ code: 6_001 })).toEqual(['slipped']);
    expect(await find({ code: -1_001 })).toEqual(['runtime', 'unheard']);
    expect(await find({ router: 'jupiterz' })).toEqual(['missed']);
    expect(await find({ router: 'jupiterz', outcome: 'failed', taker: TAKER })).toEqual(['missed']);
    expect(await find({ router: 'jupiterz', outcome: 'succeeded' })).toEqual([]);
    expect(await find({ outcome: 'failed', organisationId: 'o1', code: -2_003 })).toEqual(['missed']);
    expect(await find({ outcome: 'failed', organisationId: 'o2' })).toEqual([]);
  });

  it('are the fills of a state and a signature', async () => {
    expect(await findFills({ state: 'expired' })).toEqual(['missed']);
    expect(await findFills({ state: 'confirmed' })).toEqual([]);
    expect(await findFills({ state: 'expired', makerId: 'acme', organisationId: 'o1' })).toEqual(['missed']);
    expect(await findFills({ signature: 'sig-missed' })).toEqual(['missed']);
    expect(await findFills({ signature: 'sig-swapped' })).toEqual([]);
  });

  it('says who pays the network, also of an order of which only the execution is known', async () => {
    const sponsor = address('7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj');
    const promise = { sponsor, chargedLamports: 5_000n };
    ledger.executing(createWaitingOrder('gasless', { payer: sponsor, sponsorship: promise }));
    ledger.executing(createWaitingOrder('paid', { payer: sponsor }));
    const [gasless, paid, given] = await Promise.all(
      ['gasless', 'paid', 'given'].map(async (id) =>
        (await listOrders(ledger, {}, RANGE)).find(({ requestId }) => requestId === id),
      ),
    );
    expect(gasless).toMatchObject({ paidBy: 'sponsor', payer: sponsor });
    expect(paid).toMatchObject({ paidBy: 'payer', payer: sponsor });
    expect(given).toMatchObject({ paidBy: 'taker', payer: TAKER });
  });

  it.runIf(kind === 'sqlite')('reads nothing that was not looked for', async () => {
    const asked: [text: string, parameters: Statement['parameters']][] = [];
    const query: typeof test.database.query = (...given) => {
      asked.push(given);
      return test.database.query(...given);
    };
    const other = test.open({ database: { ...test.database, query } });
    for (const filter of [
      { signature: 'sig-swapped' },
      { outcome: 'failed' },
      { outcome: 'failed', organisationId: 'o1' },
      { outcome: 'open' },
      { outcome: 'succeeded' },
      { outcome: 'succeeded', organisationId: 'o1' },
      { code: 6_001 },
      { code: 6_001, organisationId: 'o1' },
      { router: 'metis' },
      { outcome: 'failed', taker: TAKER },
    ] as const)
      await listOrders(other, filter, RANGE);
    for (const filter of [{ signature: 'sig-missed' }, { state: 'expired' }] as const)
      await listBids(other, { ...filter, result: 'filled' }, RANGE);
    await other.close();
    const plans = await Promise.all(
      asked.map(([text, values]) => test.database.query(`explain query plan ${text}`, values)),
    );
    expect(plans.map(String)).toEqual(
      [
        'ledger_orders_signature (signature=? AND at>? AND at<?)',
        'ledger_failures (at>? AND at<?)',
        'ledger_owner_failures (owner=? AND at>? AND at<?)',
        'ledger_open (at>? AND at<?)',
        'ledger_successes (at>? AND at<?)',
        'ledger_owner_successes (owner=? AND at>? AND at<?)',
        'ledger_orders_code (code=? AND at>? AND at<?)',
        'ledger_owner_failures (owner=? AND at>? AND at<?)',
        'ledger_orders_router (router=? AND at>? AND at<?)',
        'ledger_orders_taker (taker=? AND at>? AND at<?)',
        'ledger_fills_signature (signature=? AND at>? AND at<?)',
        'ledger_fills_state (state=? AND at>? AND at<?)',
      ].map((plan) => expect.stringContaining(plan)),
    );
  });

  function noteOrders(): void {
    for (const id of ['given', 'running', 'swapped', 'slipped', 'runtime', 'unheard'])
      ledger.ordered(createGivenOrder(id));
    const bids = [createBookBid('acme', null)];
    ledger.ordered(createGivenOrder('missed', { makerId: 'acme', router: 'jupiterz', bids }));
    for (const id of ['running', 'swapped', 'slipped', 'runtime', 'unheard'])
      ledger.executing(createWaitingOrder(id));
    const end = (id: string, result: ExecutionResult) => ledger.executed(createWaitingOrder(id), result);
    end('swapped', { kind: 'succeeded', signature: 'sig-swapped', slot: 7n, amounts: null });
    end('slipped', { ...createSwapFailure(6_001, 'slippage', 'sig-slipped'), slot: 8n });
    end('runtime', { ...createSwapFailure(-1_001, 'the runtime', 'sig-runtime'), slot: 9n });
    end('unheard', createSwapFailure(-1_001, 'the network does not answer', 'sig-unheard'));
    const answer = createSwapFailure(-2_003, 'the maker did not sign', 'sig-missed');
    const order = createWaitingOrder('missed', { router: 'jupiterz' });
    ledger.filled(order, 'acme', { state: 'expired', answer });
  }

  const find = async (filter: OrderFilter) =>
    (await listOrders(ledger, filter, RANGE)).map(({ requestId }) => requestId).sort();
  const findFills = async (filter: BidFilter) =>
    (await listBids(ledger, { ...filter, result: 'filled' }, RANGE)).map(({ requestId }) => requestId).sort();
});

const RANGE = { since: 0, until: Number.MAX_SAFE_INTEGER, after: null, limit: 100 };
