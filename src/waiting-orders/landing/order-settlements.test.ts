import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { openForAll } from '../../testing/opened.ts';
import { replaced } from '../../testing/replaced.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { SkippingTimers } from '../../testing/timers.ts';
import { OrderDesk } from '../../testing/waiting-orders/order-desk.ts';
import { applyOrderEvent } from '../machine.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import { OrderSettlements } from './order-settlements.ts';

describe.each(STORES)('OrderSettlements on %s', (kind) => {
  const desk = openForAll(() => OrderDesk.open(kind), 'close');

  it('settles a deposit once, however many processes land it at the same time', async () => {
    const { order, deposit } = await recordDeposit();
    const processes = Array.from({ length: 4 }, () => new OrderSettlements(settling()));
    const settled = await Promise.all(processes.map((each) => each.settle(deposit, true)));
    expect(settled.map(({ transaction }) => transaction.outcome)).toEqual(Array(4).fill('success'));
    expect(await desk.order(order.id)).toMatchObject({ state: 'open', revision: order.revision + 1 });
  });

  it('creates one order for a request that several processes get at once, and withdraws it once', async () => {
    const crafted = await desk.deposits.craft(desk.depositRequest());
    const request = desk.orderRequest(crafted);
    const processes = Array.from({ length: 4 }, () => desk.openAgain());
    const created = await Promise.all(processes.map(({ deposits }) => deposits.create(request)));
    const [id, ...others] = new Set(created.map((each) => each.id));
    expect(others).toEqual([]);
    const withdrawal = await desk.withdrawals.cancel(desk.wallet.address, id ?? '', 'price');
    const confirmation = desk.confirmation(withdrawal);
    const landed = await Promise.all(processes.map(({ withdrawals }) => withdrawals.confirm(confirmation)));
    expect(new Set(landed.map(({ signature }) => signature)).size).toBe(1);
    expect(await desk.orders.transactionsOf(id ?? '')).toHaveLength(2);
  });

  it('looks up no text that a database may refuse', async () => {
    const crafted = await desk.deposits.craft(desk.depositRequest());
    const order = desk.orderRequest(crafted, { depositRequestId: '\u0000' });
    await expect(desk.deposits.create(order)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(desk.withdrawals.cancel(desk.wallet.address, '\u0000', 'price')).rejects.toMatchObject({
      kind: 'not found',
    });
    const { id } = await desk.openOrder();
    const withdrawal = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
    const confirmation = desk.confirmation(withdrawal, { cancelRequestId: '\u0000' });
    await expect(desk.withdrawals.confirm(confirmation)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('settles a deposit whose lease a keeper takes in the meantime', async () => {
    const { order, deposit } = await recordDeposit();
    let writes = 0;
    const orders = replaced(desk.orders, {
      update: async (changed, expected, transaction) => {
        if (writes++ < 3) await take(order.id);
        return desk.orders.update(changed, expected, transaction);
      },
    });
    await new OrderSettlements({ ...settling(), orders }).settle(deposit, true);
    expect(writes).toBe(4);
    expect(await desk.order(order.id)).toMatchObject({ state: 'open', revision: order.revision + 4 });
  });

  it('keeps a deposit that has landed and that every node denies', async () => {
    const { order, deposit } = await recordDeposit();
    await desk.market.chain.send(deposit.wire);
    const settled = await new OrderSettlements({ ...settling(), chain: deny(deposit) }).settle(deposit, true);
    expect(settled.transaction).toMatchObject({ outcome: 'success', signature: deposit.signature });
    expect(await desk.order(order.id)).toMatchObject({ state: 'open' });
  });

  it('ends a withdrawal that has landed and that every node denies', async () => {
    const withdrawal = await recordWithdrawal();
    await desk.market.chain.send(withdrawal.wire);
    const settlements = new OrderSettlements({ ...settling(), chain: deny(withdrawal) });
    const { transaction, order } = await settlements.settle(withdrawal, true);
    expect(transaction).toMatchObject({ outcome: 'success', signature: withdrawal.signature });
    expect(order).toMatchObject({ state: 'cancelled' });
  });

  it('gives a withdrawal up that never landed', async () => {
    const withdrawal = await recordWithdrawal();
    const settlements = new OrderSettlements({ ...settling(), chain: deny(withdrawal) });
    expect((await settlements.settle(withdrawal, true)).order).toMatchObject({ state: 'ready_to_cancel' });
  });

  it('ends no withdrawal by the word of nodes that are behind, or contradict each other', async () => {
    const withdrawal = await recordWithdrawal();
    const newest = () => desk.market.chain.slot('confirmed');
    const gone = (slot: bigint) => ({ address: desk.wallet.address, account: null, slot });
    let asked = 0;
    const answers = [
      async () => [gone(newest() - 1n)],
      async (...question: Parameters<typeof desk.market.chain.getAccounts>) =>
        ++asked % 3 === 0 ? desk.market.chain.getAccounts(...question) : [gone(newest())],
      async () => Promise.reject(new ChainUnavailable('no node answers')),
    ];
    for (const getAccounts of answers) {
      const chain = replaced(deny(withdrawal), { getAccounts });
      const settlements = new OrderSettlements({ ...settling(), chain, timers: new SkippingTimers() });
      const { transaction, order } = await settlements.settle(withdrawal, true);
      expect([transaction.outcome, order.state]).toEqual(['pending', 'withdrawing']);
    }
  });

  it('settles no fill, of which it cannot know what was paid', async () => {
    const { order, deposit } = await recordDeposit();
    const orders = replaced(desk.orders, {
      transactionsOf: async () => [{ ...deposit, kind: 'fill' as const }],
    });
    await expect(new OrderSettlements({ ...settling(), orders }).settle(deposit, true)).rejects.toThrow(
      `transaction 1 of the order ${order.id} is a fill`,
    );
  });

  const settling = () => desk.settling;

  /** A chain whose nodes say that a transaction can no longer land, and never did. */
  function deny({ lastValidBlockHeight }: OrderTransaction) {
    return replaced(desk.market.chain, {
      blockHeight: () => lastValidBlockHeight + 1n,
      signatureStatuses: async () => [null],
      signaturesOf: async () => [],
      searchSignature: async () => ({
        status: null,
        slot: 1_000_000n,
        finalized: { slot: 1_000_000n, height: lastValidBlockHeight + 1n },
        hasHistory: true,
      }),
    });
  }

  /** Records an order whose deposit nobody lands. */
  async function recordDeposit(): Promise<{
    readonly order: WaitingOrder;
    readonly deposit: OrderTransaction;
  }> {
    const settlements = replaced(desk.settlements, { settle: () => Promise.reject(new Error('not now')) });
    const crafted = await desk.deposits.craft(desk.depositRequest());
    const created = desk.openAgain({}, { settlements }).deposits.create(desk.orderRequest(crafted));
    await expect(created).rejects.toThrow('not now');
    const order = await desk.orders.findByDepositRequest(crafted.requestId);
    const [deposit] = await desk.orders.transactionsOf(order?.id ?? '');
    if (order === null || deposit === undefined) throw new Error('it was not recorded');
    return { order, deposit };
  }

  /** Records the withdrawal of an order, which nobody lands. */
  async function recordWithdrawal(): Promise<OrderTransaction> {
    const order = await desk.openOrder();
    const crafted = await desk.withdrawals.cancel(desk.wallet.address, order.id, 'price');
    const settlements = replaced(desk.settlements, { settle: () => Promise.reject(new Error('not now')) });
    const { withdrawals } = desk.openAgain({}, { settlements });
    await expect(withdrawals.confirm(desk.confirmation(crafted))).rejects.toThrow('not now');
    const transactions = await desk.orders.transactionsOf(order.id);
    const withdrawal = transactions.find(({ kind }) => kind === 'withdrawal');
    if (withdrawal === undefined) throw new Error('it was not recorded');
    return withdrawal;
  }

  async function take(id: string): Promise<void> {
    const order = await desk.order(id);
    const lease = { holder: 'desk', leaseUntil: order.updatedAt + 30_000 };
    const taken = applyOrderEvent(order, { kind: 'taken', at: order.updatedAt, ...lease });
    if (!taken.ok || !(await desk.orders.update(taken.value, order.revision))) throw new Error('not taken');
  }
});
