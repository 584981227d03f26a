import type { OrderTransactionSummary } from '../../../waiting-orders/waiting-order.ts';
import { refuseField } from './trigger-errors.ts';
import { address, choice, integer } from '../../parameters/kinds.ts';
import { defineQuery, optional } from '../../parameters/parameter.ts';

/** What a transaction that did not land is shown as, too. */
export const EVENT_STATES = {
  pending: 'pending',
  success: 'success',
  failed: 'failed',
  expired: 'failed',
} as const satisfies Record<OrderTransactionSummary['outcome'], 'pending' | 'success' | 'failed'>;

/** In millionths. */
const SCALE = 1_000_000n;

/** Computes which part is filled, from 0 to 1 and rounded down: an order with an atom left is not filled. */
export function computeFilledShare(used: bigint, total: bigint): number {
  return Number((used * SCALE) / total) / Number(SCALE);
}

const DEFAULT_LIMIT = 20;
const MAX_OFFSET = 999_999_999;

/**
 * Defines the parameters of a history.
 *
 * @param past - Says which orders are past.
 */
export function defineHistoryQuery<const Sort extends string>(
  sorts: readonly ['updated_at', ...Sort[]],
  past: string,
) {
  return defineQuery(
    {
      state: optional(choice(['active', 'past'], `${past} Default: all.`)),
      mint: optional(address('The input or the output.')),
      limit: optional(integer({ minimum: 1, maximum: 100 }, 'Orders on a page.'), DEFAULT_LIMIT),
      offset: optional(integer({ minimum: 0, maximum: MAX_OFFSET }, 'Orders to skip.'), 0),
      sort: optional(choice(sorts, 'The time by which orders are sorted.'), 'updated_at'),
      dir: optional(choice(['asc', 'desc'], 'The direction of the sorting.'), 'desc'),
    },
    // Its sentences begin with the name of the parameter.
    (sentence) => refuseField(sentence.split(' ', 1)[0] ?? '', sentence),
  );
}
