import type { Metrics } from '../../../common/ports/metrics.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import type { OrderStore } from './stored-order.ts';

/** Seconds: from an execution that is refused at once to one that runs out. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120];

/** Counts orders that are given out, and executions that run in this process by what becomes of them. */
export function measuredOrders(
  orders: OrderStore<ExecuteResponse>,
  metrics: Metrics,
  now: () => number,
): OrderStore<ExecuteResponse> {
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
  let underWay = 0;
  metrics.gauge('sluice_swap_executions_under_way', 'Executions that this instance runs.', () => underWay);
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
        const startedAt = now();
        let code = 'error';
        underWay++;
        try {
          const execution = await run(attempt);
          code = codeOf(execution.answer);
          return execution;
        } finally {
          underWay--;
          executed.add({ router: order.router, code });
          seconds.observe((now() - startedAt) / 1_000);
        }
      }),
  };
}

/** A program's own codes are many. */
function codeOf({ code }: ExecuteResponse): string {
  return code > 0 ? 'program' : String(code);
}
