import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import type { TriggerCondition } from '../order-plan.ts';
import { IS_OPEN, IS_TRAILING, waitingOrders } from './order-tables.ts';
import type { OrderRow } from './plan-rows.ts';

/** Which watermarks are moved, and to which price. See `WaitingOrderStore.moveWatermarks`. */
export interface WatermarkMove {
  /** The genesis hash. */
  readonly network: string;
  readonly mint: Address;
  readonly condition: TriggerCondition;
  /** In US dollars for one whole token. */
  readonly price: number;
  /** The time of the change, in Unix milliseconds by the clock of the store. */
  readonly now: number;
  readonly limit: number;
}

/** Moves the watermarks of open orders for which the price is better, and returns the rows that were moved. */
export async function moveStoredWatermarks(
  { db }: Pick<Store, 'db'>,
  { network, mint, condition, price, now, limit }: WatermarkMove,
): Promise<readonly OrderRow[]> {
  // PostgreSQL orders NaN above all other numbers.
  if (!(price > 0 && price < Number.POSITIVE_INFINITY)) return [];
  const { watermark, updatedAt } = waitingOrders;
  const isWorse = condition === 'below' ? lt(watermark, price) : gt(watermark, price);
  const ids = db
    .select({ id: waitingOrders.id })
    .from(waitingOrders)
    .where(
      and(
        IS_TRAILING,
        eq(waitingOrders.network, network),
        eq(waitingOrders.triggerMint, mint),
        eq(waitingOrders.condition, condition),
        isWorse,
      ),
    )
    .limit(limit);
  return (
    db
      .update(waitingOrders)
      .set({
        watermark: price,
        updatedAt: sql`case when ${updatedAt} > ${now} then ${updatedAt} else ${now} end`,
      })
      // PostgreSQL looks again at a row that somebody else has changed meanwhile.
      .where(and(inArray(waitingOrders.id, ids), IS_OPEN, isWorse))
      .returning()
  );
}
