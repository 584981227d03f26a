import { LEASE_MS, UNFINISHED_STATES, type UnfinishedState } from '../machine.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import { type FinishContext, finishFill } from './finish-fill.ts';
import { saveEvent } from './kept-orders.ts';
import { isRoundFilled, type KeeperMetrics } from './keeper-metrics.ts';

/**
 * Orders in one state that are taken over at a time. Each state has its own places: a wallet can record deposits that never
 * land, and pays nothing for them.
 */
const MAX_RECOVERED = 32;
/** Orders that are expired in one round. */
const MAX_EXPIRED = 500;

/** A deposit or withdrawal, and its order, after it was settled or not. */
interface SettledMove {
  /** Its outcome is `pending` while it may still land. */
  readonly transaction: Pick<OrderTransaction, 'outcome'>;
  readonly order: WaitingOrder;
}

export interface RecoveryContext extends FinishContext {
  /** Sends a recorded deposit or withdrawal until the chain has decided how it ends, and saves that. */
  readonly settle: (transaction: OrderTransaction) => Promise<SettledMove>;
  readonly holder: string;
  readonly metrics: Pick<KeeperMetrics, 'recovered' | 'expired' | 'roundsFilled'>;
  /** Whether this keeper finishes the order's fill already. */
  readonly isInFlight: (id: string) => boolean;
  /** Called with each order as it stands after it was changed. */
  readonly onOrder: (order: WaitingOrder) => void;
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Takes over orders with a recorded transaction that nobody works on any more: its keeper, or the request that recorded it, was
 * killed, has lost the store, or has given up. The lease says when that is so, by the clock of the store.
 */
export class OrderRecovery {
  readonly #context: RecoveryContext;
  readonly #running: Readonly<Record<UnfinishedState, Set<string>>> = {
    depositing: new Set(),
    executing: new Set(),
    withdrawing: new Set(),
  };

  constructor(context: RecoveryContext) {
    this.#context = context;
  }

  /** Begins to finish what nobody works on, and moves open orders whose time is over. */
  async recover(): Promise<void> {
    const { orders } = this.#context;
    const now = await orders.now();
    const expired = await orders.listExpired(now, MAX_EXPIRED);
    await Promise.all(expired.map((order) => this.#expire(order, now)));
    await Promise.all(UNFINISHED_STATES.map((state) => this.#takeOverAll(state, now)));
  }

  async #takeOverAll(state: UnfinishedState, now: number): Promise<void> {
    const { orders, isInFlight, onOutage } = this.#context;
    const running = this.#running[state];
    if (running.size >= MAX_RECOVERED) return;
    for (const order of await orders.listUnfinished(now, state, MAX_RECOVERED)) {
      if (running.size >= MAX_RECOVERED) return;
      if (running.has(order.id) || isInFlight(order.id)) continue;
      running.add(order.id);
      void this.#takeOver(order)
        .catch(onOutage)
        .finally(() => running.delete(order.id));
    }
  }

  async #expire(order: WaitingOrder, at: number): Promise<void> {
    const expired = await saveEvent(this.#context, order, { kind: 'expired', at });
    if (expired === null) return;
    this.#context.metrics.expired.add();
    this.#context.onOrder(expired);
  }

  async #takeOver(order: WaitingOrder): Promise<void> {
    const { orders, holder, metrics, onOrder, onDefect } = this.#context;
    const at = await orders.now();
    const taken = await saveEvent(this.#context, order, {
      kind: 'taken',
      holder,
      leaseUntil: at + LEASE_MS,
      at,
    });
    if (taken === null) return;
    const transactions = await orders.transactionsOf(order.id);
    const pending = transactions.find(({ number }) => number === taken.transactions);
    if (pending !== undefined && pending.outcome !== 'pending') {
      // Whoever recorded it was only held up, and has settled it since the lease was taken.
      const newest = await orders.get(order.id);
      if (newest !== null) onOrder(newest);
      return;
    }
    if (pending === undefined) {
      onDefect('an order has no transaction that it waits for', new Error(`${order.id} is ${order.state}`));
      return;
    }
    const { outcome, order: newest } = await this.#finish(taken, pending);
    if (outcome === 'pending') return;
    metrics.recovered.add({ kind: pending.kind, outcome });
    if (outcome === 'success' && isRoundFilled(taken, newest)) metrics.roundsFilled.add();
    if (newest !== null) onOrder(newest);
  }

  async #finish(
    order: WaitingOrder,
    transaction: OrderTransaction,
  ): Promise<{ readonly outcome: OrderTransaction['outcome']; readonly order: WaitingOrder | null }> {
    if (transaction.kind === 'fill') {
      return (await finishFill(this.#context, order, transaction)) ?? { outcome: 'pending', order: null };
    }
    const settled = await this.#context.settle(transaction);
    return { outcome: settled.transaction.outcome, order: settled.order };
  }
}
