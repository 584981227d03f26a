import { type Timers, wait } from '../../common/ports/timers.ts';
import { applyOrderEvent } from '../machine.ts';
import type { OrderEvent } from '../order-moves.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';

/** What a keeper reads and writes of the store. */
export type KeptOrders = Pick<
  WaitingOrderStore,
  | 'now'
  | 'get'
  | 'update'
  | 'transactionsOf'
  | 'changedSince'
  | 'listOpen'
  | 'listUnfinished'
  | 'listExpired'
  | 'moveWatermarks'
>;

/** Writes to the store outlast an outage of this many attempts. After that, another keeper or a later round does them. */
const MAX_ATTEMPTS = 30;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** What every write of a keeper needs. */
export interface WriteContext {
  readonly orders: KeptOrders;
  readonly timers: Timers;
  /** Whether the keeper is closed, so that nothing is begun any more. */
  readonly isClosed: () => boolean;
  /** Called with each failure of the store. */
  readonly onOutage: (error: unknown) => void;
}

/** An event before the store's clock has been read. */
export type UntimedEvent = OrderEvent extends infer Event
  ? Event extends OrderEvent
    ? Omit<Event, 'at'>
    : never
  : never;

/**
 * Saves what happened to an order if nobody has changed it since it was read.
 * Returns the changed order; null if somebody has, or the event does not apply.
 */
export async function saveEvent(
  { orders }: Pick<WriteContext, 'orders'>,
  order: WaitingOrder,
  event: OrderEvent,
): Promise<WaitingOrder | null> {
  const applied = applyOrderEvent(order, event);
  if (!applied.ok) return null;
  return (await orders.update(applied.value, order.revision)) ? applied.value : null;
}

/**
 * Does something with the store until it answers. An outage is waited for, with growing pauses.
 * Returns what `work` returns; `unanswered` if the keeper is closed meanwhile, or the outage lasts too long.
 */
export async function repeatUntilAnswered<T>(
  { timers, isClosed, onOutage }: Omit<WriteContext, 'orders'>,
  work: () => Promise<T>,
): Promise<T | 'unanswered'> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS && !isClosed(); attempt++) {
    try {
      return await work();
    } catch (error) {
      onOutage(error);
      await wait(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), timers);
    }
  }
  return 'unanswered';
}

/**
 * Records a fill that is signed and not sent. The revision is the fence: whoever has changed the order since has made this
 * fail, and then the signed bytes have to be thrown away.
 *
 * When the store does not say whether the fill was recorded, the order is read again. If the fill is not there, another
 * change is saved on the same revision, after which a late commit can no longer succeed.
 *
 * Returns `refused` if it is certain that the fill is not recorded and never will be; `unknown` if only a later read can tell.
 * Nothing may be sent then.
 */
export async function recordFill(
  context: WriteContext,
  order: WaitingOrder,
  recorded: WaitingOrder,
  transaction: OrderTransaction,
): Promise<'recorded' | 'refused' | 'unknown'> {
  const { orders, onOutage } = context;
  try {
    return (await orders.update(recorded, order.revision, transaction)) ? 'recorded' : 'refused';
  } catch (error) {
    onOutage(error);
  }
  const found = await repeatUntilAnswered(context, async () => {
    for (;;) {
      const current = await orders.get(order.id);
      if (current === null) return 'refused';
      if (current.revision !== order.revision) return findRecorded(context, transaction);
      const at = await orders.now();
      const fence = { kind: 'put-off', waitsFor: 'unavailable', retryAt: at, at } as const;
      if ((await saveEvent(context, current, fence)) !== null) return 'refused';
    }
  });
  return found === 'unanswered' ? 'unknown' : found;
}

async function findRecorded(
  { orders }: WriteContext,
  { orderId, signature }: OrderTransaction,
): Promise<'recorded' | 'refused'> {
  const transactions = await orders.transactionsOf(orderId);
  return transactions.some((one) => one.signature === signature) ? 'recorded' : 'refused';
}
