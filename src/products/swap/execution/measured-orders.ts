import type { Metrics } from '../../../common/ports/metrics.ts';
import { Code, type ExecutionResult } from '../../../swaps/orders/execution-result.ts';
import type { OrderStore } from '../../../swaps/orders/stored-order.ts';
import type { Timers } from '../../../common/ports/timers.ts';

/** In seconds: from an execution that is refused at once to one whose order expires. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120];

/** Counts the orders that are returned to clients, and the executions in this process by the code of their result. */
export function measureOrders(
  orders: OrderStore<ExecutionResult>,
  metrics: Metrics,
  timers: Pick<Timers, 'now'>,
): OrderStore<ExecutionResult> {
  const given = metrics.counter(
    'sluice_swap_orders_total',
    'Orders with a transaction that were given out.',
    ['router'],
  );
  const executed = metrics.counter(
    'sluice_swap_executions_total',
    'Executions that this instance ran, by the code of their answer; `error`: it failed without an answer.',
    ['router', 'code'],
  );
  const seconds = metrics.histogram(
    'sluice_swap_execution_duration_seconds',
    'Time from a signed order to its answer.',
    BUCKETS,
  );
  let inFlight = 0;
  metrics.gauge('sluice_swap_executions_under_way', 'Executions that this instance runs.', () => inFlight);
  return {
    put: async (order) => {
      await orders.put(order);
      given.add({ router: order.router });
    },
    get: (requestId) => orders.get(requestId),
    mayHaveForgotten: () => orders.mayHaveForgotten(),
    settled: () => orders.settled(),
    executeOnce: (order, run) =>
      orders.executeOnce(order, async (attempt) => {
        const startedAt = timers.now();
        let code = 'error';
        inFlight++;
        try {
          const execution = await run(attempt);
          code = toCodeLabel(execution.answer);
          return execution;
        } finally {
          inFlight--;
          executed.add({ router: order.router, code });
          seconds.observe((timers.now() - startedAt) / 1_000);
        }
      }),
  };
}

/** All codes of programs share one label, because there are too many of them. */
function toCodeLabel(result: ExecutionResult): string {
  if (result.kind === 'succeeded') return String(Code.SUCCESS);
  return result.code > 0 ? 'program' : String(result.code);
}
