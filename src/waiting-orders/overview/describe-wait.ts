import { listTriggers } from '../legs.ts';
import { isRecurring, type OrderPlan, type RecurringPlan } from '../order-plan.ts';
import { computeRetryWindowMs } from '../rounds.ts';
import type { WaitingOrder, WaitReason } from '../waiting-order.ts';

const REASONS: Readonly<Record<Exclude<WaitReason, 'band'>, string>> = {
  gas: 'the gas wallet is empty, or has spent the budget of the day',
  price: 'no route pays as much as the order wants',
  route: 'no route leads from the input to the output, or none fits a transaction',
  refused: 'a program refuses the fill, for example because an account is frozen',
  unpriced: 'a token of the order has no price that can be relied on',
  unavailable: 'the network or the database does not answer',
};

/**
 * Says in a sentence what an order waits for, or how it ended.
 *
 * @param price - The price of the trigger mint now, in US dollars for one whole token; null if it has none.
 * @param now - Unix milliseconds.
 */
export function describeWait(order: WaitingOrder, price: number | null, now: number): string {
  switch (order.state) {
    case 'depositing':
      return 'its deposit was sent, and is not confirmed yet';
    case 'open':
      return describeOpenOrder(order, price, now);
    case 'executing':
      return 'a fill was sent, and its end is not known yet';
    case 'fill_success':
      return isRecurring(order.plan) ? 'all its rounds are filled' : 'it was filled';
    case 'ready_to_cancel':
      return 'its wallet cancelled it, and has not sent the signed withdrawal yet';
    case 'withdrawing':
      return 'its withdrawal was sent, and is not confirmed yet';
    case 'cancelled':
      return 'it was cancelled, and its wallet has the money';
    case 'expired':
      return 'its time is over, and the money is in the vault until its wallet cancels the order';
    case 'deposit_failed':
      return 'its deposit failed, and its wallet has kept the money';
  }
}

function describeOpenOrder(order: WaitingOrder, price: number | null, now: number): string {
  const { waitsFor, retryAt, failures, expiresAt } = order;
  if (expiresAt <= now) return 'its time is over, and it is about to be marked as expired';
  const reason =
    waitsFor === null && failures > 0
      ? 'the last fill did not land, or failed'
      : waitsFor && describeReason(waitsFor, order.plan, price);
  if (reason !== null) {
    const attempts = failures === 0 ? '' : ` (${failures} in a row)`;
    return retryAt > now
      ? `${reason}${attempts}; the next attempt is at ${new Date(retryAt).toISOString()}`
      : `${reason}${attempts}`;
  }
  if (isRecurring(order.plan)) return describeRound(order, order.plan, now);
  if (price === null) return 'the token that it watches has no price that can be relied on';
  const triggers = listTriggers(order);
  const isReached = triggers.some(({ condition, triggerPrice }) =>
    condition === 'above' ? price >= triggerPrice : price <= triggerPrice,
  );
  if (isReached) return 'its price is reached, and a keeper is about to fill it';
  const awaited = triggers.map(({ condition, triggerPrice }) => `${condition} ${triggerPrice}`);
  return `its price is not reached: ${price} is not ${awaited.join(', nor ')}`;
}

function describeReason(reason: WaitReason, plan: OrderPlan, price: number | null): string {
  if (reason !== 'band') return REASONS[reason];
  const { minPrice = null, maxPrice = null } = (isRecurring(plan) ? plan.band : null) ?? {};
  const bounds =
    minPrice !== null && maxPrice !== null
      ? `between ${minPrice} and ${maxPrice}`
      : minPrice !== null
        ? `${minPrice} or more`
        : `${maxPrice} or less`;
  if (price === null) return `the price was outside its band, ${bounds}, and is not known now`;
  const isWithin = price >= (minPrice ?? 0) && price <= (maxPrice ?? Number.POSITIVE_INFINITY);
  return isWithin
    ? `the price has not been within its band for long enough: it is ${price}, ${bounds}`
    : `the price is outside its band: ${price} is not ${bounds}`;
}

function describeRound({ rounds }: WaitingOrder, plan: RecurringPlan, now: number): string {
  const { nextAt, filled } = rounds ?? { nextAt: plan.beginAt, filled: 0 };
  const name = `round ${filled + 1} of ${plan.rounds}`;
  if (nextAt > now) return `${name} is due at ${new Date(nextAt).toISOString()}`;
  const until = new Date(nextAt + computeRetryWindowMs(plan.intervalMs)).toISOString();
  return `${name} is due, and is tried until ${until}`;
}
