import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../common/unavailable.ts';
import { bps } from '../../solana/units.ts';
import type { Store } from '../../store/index.ts';
import { openForAll } from '../../testing/opened.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { numbered } from '../../testing/test-tokens.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import {
  createTestOrderStore,
  insertTestOrders,
  openTestOrders,
} from '../../testing/waiting-orders/test-order-store.ts';
import {
  createTestOrder,
  createTestTerms,
  createTestTransaction,
} from '../../testing/waiting-orders/test-orders.ts';
import { createTrailingPlan } from '../legs.ts';
import { applyOrderEvent, MAX_LEASE_MS, startOrder } from '../machine.ts';
import type { OrderEvent } from '../order-moves.ts';
import type { OrderPlan, TriggerCondition } from '../order-plan.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import { MAX_CRAFTS, type OrderCraft } from './order-craft.ts';
import { toTransactionRow } from './order-rows.ts';
import { WaitingOrderStore } from './order-store.ts';
import { orderTransactions } from './order-tables.ts';

describe.each(STORES)('WaitingOrderStore on %s', (kind) => {
  const test = openForAll(() => openTestOrders(kind), 'cleanUp');

  it('records an order and its deposit, exactly, and uses up the craft', async () => {
    const { order, deposit, craft } = startOne({
      slippageBps: null,
      triggerPrice: 0.1 + 0.2,
      inputAmount: 2n ** 64n - 1n,
    });
    await test.orders.putCraft(craft);
    expect(await test.orders.getCraft(craft.requestId)).toEqual(craft);
    expect(await test.orders.create(order, deposit, craft.requestId, 1_000)).toBe(true);
    expect(await test.orders.get(order.id)).toEqual(order);
    expect(await test.orders.findByDepositRequest(order.depositRequestId)).toEqual(order);
    expect(await test.orders.transactionsOf(order.id)).toEqual([deposit]);
    expect(await test.orders.getCraft(craft.requestId)).toBeNull();
    const other = startOne();
    expect(await test.orders.create(other.order, other.deposit, craft.requestId, 1_000)).toBe(false);
    expect(await test.orders.get(other.order.id)).toBeNull();
  });

  it('creates no more orders of a wallet than it may have, also at the same time, and leaves the craft then', async () => {
    const wallet = numbered(7_000_006);
    const started = Array.from({ length: 5 }, () => startOne({ wallet }));
    for (const { craft } of started) await test.orders.putCraft(craft);
    const created = await Promise.allSettled(
      started.map(({ order, deposit, craft }) => test.orders.create(order, deposit, craft.requestId, 3)),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await test.orders.openCount(wallet, 'price')).toBe(3);
    const refused = started.filter((_, index) => created[index]?.status === 'rejected');
    for (const { order, deposit, craft } of refused) {
      await expect(test.orders.create(order, deposit, craft.requestId, 3)).rejects.toThrow(
        'Maximum of 3 active price orders allowed per user',
      );
      expect(await test.orders.getCraft(craft.requestId)).toEqual(craft);
    }
  });

  it('saves a change with its transaction only for the revision that was read, all or nothing', async () => {
    const open = await putOpen();
    const { order, fill } = recordFill(open, 'one');
    expect(await test.orders.update(order, open.revision, fill)).toBe(true);
    const late = recordFill(open, 'two');
    expect(await test.orders.update(late.order, open.revision, late.fill)).toBe(false);
    expect(await test.orders.get(open.id)).toEqual(order);
    expect((await test.orders.transactionsOf(open.id)).slice(1)).toEqual([fill]);
    const landed = apply(order, {
      kind: 'fill-landed',
      delayMs: 0,
      input: 5n,
      output: 7n,
      at: order.updatedAt,
    });
    const ended = {
      number: fill.number,
      outcome: 'success',
      outputAmount: 7n,
      endedAt: 99,
      signature: 'its',
    } as const;
    expect(await test.orders.update(landed, order.revision, { ended })).toBe(true);
    expect(await test.orders.get(open.id)).toEqual(landed);
    const { number: _, ...fields } = ended;
    expect((await test.orders.transactionsOf(open.id))[1]).toEqual({ ...fill, ...fields });
  });

  it('refuses to end a transaction that is not on its way, and does not change the order then', async () => {
    const open = await putOpen();
    const ended = { number: 1, outcome: 'failed', endedAt: 5 } as const;
    const changed = apply(open, { kind: 'put-off', waitsFor: 'gas', retryAt: 1, at: 1 });
    await expect(test.orders.update(changed, open.revision, { ended })).rejects.toThrow(
      `transaction 1 of the order ${open.id} is not pending`,
    );
    expect(await test.orders.get(open.id)).toEqual(open);
  });

  it.each(['before', 'after'] as const)(
    'finds out whether a change is stored when the answer is lost %s the commit',
    async (when) => {
      const open = await putOpen();
      const orders = createTestOrderStore(loseAnswers(test.store, when, 1));
      const { order, fill } = recordFill(open, 'one');
      expect(await orders.update(order, open.revision, fill)).toBe(true);
      expect(await test.orders.transactionsOf(open.id)).toHaveLength(2);
      const started = startOne();
      await test.orders.putCraft(started.craft);
      const creating = createTestOrderStore(loseAnswers(test.store, when, 1));
      expect(await creating.create(started.order, started.deposit, started.craft.requestId, 1_000)).toBe(
        true,
      );
      expect(await test.orders.get(started.order.id)).toEqual(started.order);
    },
  );

  it('says that it does not know when the second answer is lost too, after which the order shows it', async () => {
    const open = await putOpen();
    const orders = createTestOrderStore(loseAnswers(test.store, 'after', 2));
    const { order, fill } = recordFill(open, 'one');
    await expect(orders.update(order, open.revision, fill)).rejects.toThrow(Unavailable);
    expect(await test.orders.get(open.id)).toEqual(order);
    // The change of another holder has the same revision, and is not taken for the stored one.
    const late = recordFill(open, 'two');
    expect(await test.orders.update(late.order, open.revision, late.fill)).toBe(false);
    const sameHolder = { ...fill, signature: 'another' };
    expect(await test.orders.update(order, open.revision, sameHolder)).toBe(false);
    expect(await test.orders.update(order, open.revision, fill)).toBe(true);
  });

  it('commits changes together that come one after the other, as long as each turn of the event loop brings one', async () => {
    const opened = await putOpen(20);
    const counted = countTransactions(test.store);
    const orders = createTestOrderStore(counted.store);
    const writes = opened.map(async (open, turns) => {
      for (let turn = 0; turn < turns; turn++) await yieldToOtherWork();
      const { order, fill } = recordFill(open, 'one');
      return orders.update(order, open.revision, fill);
    });
    expect(await Promise.all(writes)).toEqual(opened.map(() => true));
    expect(counted.count()).toBeLessThanOrEqual(2);
  });

  it('commits changes together that come at once, and none of them takes another with it', async () => {
    const opened = await putOpen(40);
    const counted = countTransactions(test.store);
    const orders = createTestOrderStore(counted.store);
    const fills = opened.map((open) => ({ open, ...recordFill(open, 'one') }));
    const write = ({ open, order, fill }: (typeof fills)[number]) =>
      orders.update(order, open.revision, fill);
    expect(await Promise.all(fills.map(write))).toEqual(opened.map(() => true));
    expect(counted.count()).toBe(1);
    const [first, second, third] = fills as [
      (typeof fills)[number],
      (typeof fills)[number],
      (typeof fills)[number],
    ];
    const again = (one: typeof first) => apply(one.order, { kind: 'fill-ended', reason: 'price', at: 9 });
    const ended = { outcome: 'failed', endedAt: 9 } as const;
    const results = await Promise.allSettled([
      orders.update(again(first), first.order.revision, { ended: { ...ended, number: 2 } }),
      orders.update(again(second), second.order.revision, { ended: { ...ended, number: 77 } }),
      orders.update(again(third), third.open.revision, { ended: { ...ended, number: 2 } }),
      orders.update(again(third), third.order.revision, { ended: { ...ended, number: 2 } }),
    ]);
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value : 'refused'))).toEqual([
      true,
      'refused',
      false,
      true,
    ]);
  });

  it('lists open orders by id, changes by time and id, what nobody works on, and what expires', async () => {
    const network = 'another-network';
    const orders = new WaitingOrderStore({ store: test.store, network, historyDays: 0 });
    const created = Array.from({ length: 5 }, () => createTestOrder(next()));
    const [a, b, c, d, e] = created.map((order, index) => ({
      ...order,
      updatedAt: 100 + Math.floor(index / 2),
    })) as [WaitingOrder, WaitingOrder, WaitingOrder, WaitingOrder, WaitingOrder];
    const worked = { ...c, state: 'executing', leaseHolder: 'one', leaseUntil: 50 } as const;
    const left = { ...d, state: 'withdrawing', leaseUntil: 20 } as const;
    const over = { ...e, expiresAt: 30 };
    await insertTestOrders(test.store, [a, b, worked, left, over], network);
    const firstPage = await orders.listOpen('', 2);
    expect(firstPage).toEqual([a, b]);
    expect(await orders.listOpen(b.id, 2)).toEqual([over]);
    expect(await orders.changedSince({ updatedAt: 100, id: '' }, 3)).toEqual([a, b, worked]);
    expect(await orders.changedSince({ updatedAt: 101, id: c.id }, 3)).toEqual([left, over]);
    expect(await orders.listUnfinished(49, 'executing', 9)).toEqual([]);
    expect(await orders.listUnfinished(49, 'withdrawing', 9)).toEqual([left]);
    expect(await orders.listUnfinished(50, 'executing', 9)).toEqual([worked]);
    // The clock was put back.
    expect(await orders.listUnfinished(49 - MAX_LEASE_MS, 'executing', 9)).toEqual([worked]);
    expect(await orders.listExpired(29, 9)).toEqual([]);
    expect(await orders.listExpired(30, 9)).toEqual([over]);
    expect(await test.orders.get(a.id)).toBeNull();
  });

  it('counts the orders of a wallet that have not ended, and returns the first and the newest transactions', async () => {
    const wallet = numbered(7_000_005);
    const states = [
      'depositing',
      'expired',
      'fill_success',
      'ready_to_cancel',
      'cancelled',
      'deposit_failed',
    ] as const;
    await insertTestOrders(
      test.store,
      states.map((state) => createTestOrder(next(), { wallet, state })),
    );
    expect(await test.orders.openCount(wallet, 'price')).toBe(3);
    const open = await putOpen();
    const fills = Array.from({ length: 130 }, (_, index) =>
      createTestTransaction({ ...open, transactions: index + 2 }),
    );
    await test.store.db.insert(orderTransactions).values(fills.map(toTransactionRow));
    const read = await test.orders.transactionsOf(open.id);
    expect(read.map(({ number }) => number)).toEqual([1, ...fills.slice(-100).map(({ number }) => number)]);
    expect(read.slice(1)).toEqual(fills.slice(-100));
  });

  it('keeps the newest unsigned transactions of a wallet, 20 of each kind, until they expire', async () => {
    const wallet = numbered(7_000_003);
    const now = await test.orders.now();
    const crafts = Array.from({ length: MAX_CRAFTS + 2 }, (_, index) =>
      createCraft({ wallet, createdAt: now + index, deleteAt: now + 1e9 }),
    );
    const withdrawal = createCraft({
      wallet,
      kind: 'withdrawal',
      orderId: 'x',
      createdAt: now,
      deleteAt: now + 1e9,
    });
    await test.orders.putCraft(withdrawal);
    for (const craft of crafts) await test.orders.putCraft(craft);
    const kept = await Promise.all(crafts.map(({ requestId }) => test.orders.getCraft(requestId)));
    expect(kept.map((craft) => craft !== null)).toEqual(crafts.map((_, index) => index >= 2));
    expect(await test.orders.getCraft(withdrawal.requestId)).toEqual(withdrawal);
    const old = createCraft({ wallet: numbered(7_000_004), deleteAt: now });
    await test.orders.putCraft(old);
    expect(await test.orders.getCraft(old.requestId)).toBeNull();
  });

  it('counts the orders of each family apart, and creates no more recurring ones than a wallet may have', async () => {
    const wallet = numbered(7_000_040);
    const started = Array.from({ length: 3 }, () => startOne({ wallet, plan: ROUNDS }));
    const priced = startOne({ wallet });
    for (const { craft } of [priced, ...started]) await test.orders.putCraft(craft);
    const create = ({ order, deposit, craft }: typeof priced) =>
      test.orders.create(order, deposit, craft.requestId, 2);
    const created = await Promise.allSettled(started.map(create));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = created.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason.message).toBe('Maximum of 2 active DCA orders allowed per user');
    expect(await create(priced)).toBe(true);
    expect(await test.orders.openCount(wallet, 'recurring')).toBe(2);
    expect(await test.orders.openCount(wallet, 'price')).toBe(1);
  });

  it('moves watermarks of open orders in the favour of their wallets only, in bounded steps, without a revision', async () => {
    const triggerMint = numbered(7_000_041);
    const trail = (condition: TriggerCondition, watermark: number, changes: Partial<WaitingOrder> = {}) =>
      createTestOrder(next(), {
        plan: createTrailingPlan(
          { triggerMint, condition, slippageBps: null },
          { bps: bps(1_000), watermark },
        ),
        ...changes,
      });
    const below = [trail('below', 100), trail('below', 110), trail('below', 90)];
    const others = [
      trail('above', 100),
      trail('below', 100, { state: 'executing' }),
      createTestOrder(next(), { triggerMint }),
    ];
    await insertTestOrders(test.store, [...below, ...others]);
    await insertTestOrders(test.store, [trail('below', 100)], 'another-network');
    const move = (condition: TriggerCondition, price: number) =>
      test.orders.moveWatermarks(triggerMint, condition, price, { now: MOVED_AT, limit: 1 });
    for (const junk of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1]) {
      expect(await move('below', junk)).toEqual([]);
      expect(await move('above', junk)).toEqual([]);
    }
    expect(await move('above', 101)).toEqual([]);
    const moved = [...(await move('below', 105)), ...(await move('below', 105))];
    expect(await move('below', 105)).toEqual([]);
    expect(moved.map(({ id }) => id).toSorted()).toEqual([below[0]?.id, below[2]?.id].toSorted());
    const stored = await Promise.all(below.map(({ id }) => test.orders.get(id)));
    expect(stored).toEqual(
      below.map((order, index) => ({
        ...order,
        plan: trail('below', [105, 110, 105][index] ?? 0).plan,
        updatedAt: index === 1 ? order.updatedAt : MOVED_AT,
      })),
    );
    for (const other of others) expect(await test.orders.get(other.id)).toEqual(other);
    // Who has read the order before does not put its watermark back, and finds its change in the store again.
    const [first] = below as [WaitingOrder];
    const late = recordFill(first, 'one');
    expect(await test.orders.update(late.order, first.revision, late.fill)).toBe(true);
    expect(await test.orders.update(late.order, first.revision, late.fill)).toBe(true);
    expect((await test.orders.get(first.id))?.plan).toEqual(trail('below', 105).plan);
    expect((await move('above', 70)).map(({ id }) => id)).toEqual([others[0]?.id]);
    const [, second] = below as [WaitingOrder, WaitingOrder];
    const putOff = apply(second, { kind: 'put-off', waitsFor: 'gas', retryAt: 5, at: second.updatedAt });
    expect(await test.orders.update(putOff, second.revision)).toBe(true);
    await move('below', 120);
    await move('below', 120);
    await move('below', 120);
    expect((await test.orders.get(second.id))?.updatedAt).toBe(MOVED_AT);
    expect(await test.orders.update(putOff, second.revision)).toBe(true);
  });

  /** Stores open orders that no other test uses, and returns the first or all of them. */
  async function putOpen(): Promise<WaitingOrder>;
  async function putOpen(count: number): Promise<WaitingOrder[]>;
  async function putOpen(count?: number): Promise<WaitingOrder | WaitingOrder[]> {
    const orders = Array.from({ length: count ?? 1 }, () => createTestOrder(next()));
    await insertTestOrders(test.store, orders);
    return count === undefined ? (orders[0] as WaitingOrder) : orders;
  }
});

describe.runIf(STORES.includes('postgresql'))('WaitingOrderStore of two instances on PostgreSQL', () => {
  const test = openForAll(() => openTestOrders('postgresql'), 'cleanUp');

  it('lets exactly one of two keepers record the fill of each order', async () => {
    const other = await test.reopenOrders();
    const opened = Array.from({ length: 100 }, () => createTestOrder(next()));
    await insertTestOrders(test.store, opened);
    const race = (orders: WaitingOrderStore, holder: string, open: WaitingOrder) => {
      const { order, fill } = recordFill(open, holder);
      return orders.update(order, open.revision, fill);
    };
    const [one, two] = await Promise.all([
      Promise.all(opened.map((open) => race(test.orders, 'one', open))),
      // The other way round, so that the two wait for each other's rows.
      Promise.all(opened.toReversed().map((open) => race(other, 'two', open))).then((won) =>
        won.toReversed(),
      ),
    ]);
    for (const [index, open] of opened.entries()) {
      expect(one?.[index]).not.toBe(two?.[index]);
      const [, fill, ...more] = await test.orders.transactionsOf(open.id);
      expect(more).toEqual([]);
      const winner = one?.[index] === true ? 'one' : 'two';
      expect(fill?.signature).toBe(`fill of ${open.id} by ${winner}`);
      expect((await other.get(open.id))?.leaseHolder).toBe(winner);
    }
  });

  it('shows a change that is committed after later ones to who reads the last seconds again', async () => {
    const early = createTestOrder(next(), { updatedAt: 100_000 });
    const later = createTestOrder(next(), { updatedAt: 105_000 });
    const from = { updatedAt: 99_000, id: '' };
    const other = await test.reopen();
    await test.store.transaction(async (db) => {
      await insertTestOrders({ ...test.store, transaction: (work) => work(db) }, [early]);
      await insertTestOrders(other, [later]);
      expect(await test.orders.changedSince(from, 1)).toEqual([later]);
    });
    const behind = await test.orders.changedSince({ updatedAt: later.updatedAt, id: later.id }, 999);
    expect(behind.map(({ id }) => id)).not.toContain(early.id);
    const overlap = { updatedAt: later.updatedAt - 10_000, id: '' };
    expect(await test.orders.changedSince(overlap, 2)).toEqual([early, later]);
  });
});

/** Later than all test orders. */
const MOVED_AT = 1_800_000_000_000;

const ROUNDS: OrderPlan = {
  kind: 'time_based',
  rounds: 3,
  intervalMs: 60_000,
  beginAt: 7,
  band: null,
  earnMint: null,
};

let numbers = 0;
function next(): number {
  numbers += 1;
  return numbers;
}

function startOne(changes: Parameters<typeof createTestTerms>[1] = {}) {
  const number = next();
  const order = startOrder(createTestTerms(number, changes), { holder: 'one', leaseUntil: 5 });
  const deposit = createTestTransaction(order);
  const craft = createCraft({ requestId: order.depositRequestId, wallet: order.wallet });
  return { order, deposit, craft };
}

function createCraft(changes: Partial<OrderCraft>): OrderCraft {
  return {
    requestId: `craft ${next()}`,
    kind: 'deposit',
    wallet: numbered(1),
    orderId: null,
    messageBytes: new Uint8Array([0, 255, 7]),
    lastValidBlockHeight: 2n ** 60n,
    terms: '{"amount":"5"}',
    createdAt: 10,
    deleteAt: Number.MAX_SAFE_INTEGER,
    ...changes,
  };
}

function recordFill(open: WaitingOrder, holder: string): { order: WaitingOrder; fill: OrderTransaction } {
  const order = apply(open, {
    kind: 'fill-recorded',
    leg: 'single',
    holder,
    leaseUntil: 60,
    at: open.updatedAt,
  });
  const fill = createTestTransaction(order, {
    signature: `fill of ${open.id} by ${holder}`,
    triggeredPrice: 1.25,
  });
  return { order, fill };
}

function apply(order: WaitingOrder, event: OrderEvent): WaitingOrder {
  const result = applyOrderEvent(order, event);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** The connection of so many transactions is lost, before they begin or after they were committed. */
function loseAnswers(store: Store, when: 'before' | 'after', times: number): Store {
  let left = times;
  return {
    ...store,
    transaction: async (work) => {
      const isLost = left-- > 0;
      if (isLost && when === 'before') throw new Unavailable('the connection is lost');
      const result = await store.transaction(work);
      if (isLost) throw new Unavailable('the connection is lost');
      return result;
    },
  };
}

function countTransactions(store: Store): { readonly store: Store; readonly count: () => number } {
  let count = 0;
  const transaction: Store['transaction'] = (work) => {
    count += 1;
    return store.transaction(work);
  };
  return { store: { ...store, transaction }, count: () => count };
}
