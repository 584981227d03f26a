import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { TransactionFailure } from '../../transactions/transaction-failure.ts';
import type { GasCharge } from '../../waiting-orders/fills/gas-budget.ts';
import {
  type ChargedContext,
  type EndedSubmission,
  submitCharged,
} from '../../waiting-orders/keeper/submit-charged.ts';
import type { PlannedTask } from './plan/order-plan.ts';
import type { OrderWait } from './plan/order-put-off.ts';

/** The aggregator's error when a route pays less than its threshold. */
const SLIPPAGE_EXCEEDED = 6_001;

/** How a transaction with an order ended. */
export interface EndedTask extends Pick<EndedSubmission, 'outcome' | 'cost'> {
  /** Why the order has to wait; null after a success. */
  readonly reason: OrderWait | null;
}

/** Signs and sends a planned transaction as `submitCharged` does. */
export async function runTask(
  context: ChargedContext,
  task: PlannedTask,
  charge: GasCharge,
): Promise<EndedTask> {
  const { outcome, failure, cost } = await submitCharged(context, task, charge);
  const reason = outcome === 'success' ? null : failure === null ? 'unavailable' : toReason(failure);
  return { outcome, reason, cost };
}

function toReason({ code, program }: TransactionFailure): OrderWait {
  return program === AGGREGATOR_PROGRAM && code === SLIPPAGE_EXCEEDED ? 'price' : 'refused';
}
