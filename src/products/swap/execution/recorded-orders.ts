import type { OrderLedger } from '../../../swaps/ledger/order-ledger.ts';
import type { ExecutionResult } from '../../../swaps/orders/execution-result.ts';
import type { OrderStore } from '../../../swaps/orders/stored-order.ts';

/** Notes the executions in this process in the ledger. A run that fails without an answer has no result there. */
export function recordExecutions(
  orders: OrderStore<ExecutionResult>,
  ledger: Pick<OrderLedger, 'executing' | 'executed'>,
): OrderStore<ExecutionResult> {
  return {
    put: (order) => orders.put(order),
    get: (requestId) => orders.get(requestId),
    mayHaveForgotten: () => orders.mayHaveForgotten(),
    settled: () => orders.settled(),
    executeOnce: (order, run) =>
      orders.executeOnce(order, async (attempt) => {
        ledger.executing(order);
        const execution = await run(attempt);
        ledger.executed(order, execution.answer);
        return execution;
      }),
  };
}
