import { type Metrics, NO_METRICS } from '../../common/ports/metrics.ts';
import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { type ForwardingOptions, createExecutionForwarder } from './execution/forward-execution.ts';
import { MemoryPreparedStore } from '../../transactions/prepared/memory-prepared-store.ts';
import { measureOrders } from './execution/measured-orders.ts';
import { recordExecutions } from './execution/recorded-orders.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import type { ComposedSwap } from './order/swap-services.ts';
import type { OrderDependencies } from './order/order.ts';
import { SharedPreparedStore } from '../../transactions/prepared/shared-prepared-store.ts';
import type { House } from '../../swaps/fees/house-fee.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import { MemoryTakerLeases, SharedTakerLeases } from '../../transactions/sponsor/taker-leases.ts';

/** The engines that quote orders, and what executes those that makers sign or land. The application hands them in. */
export type SwapEngines = Pick<
  ComposedSwap,
  'engines' | 'quoteDeadlineMs' | 'makerFills' | 'webhookFills' | 'trades'
>;

/** What is joined to the market: the engines, other instances, the sponsor and the metrics. */
export type SwapOptions = Pick<ComposedSwap, 'venueLabels' | 'newRequestId' | 'onDefect'> & {
  readonly timers: Timers;
  readonly engines: SwapEngines;
  /** The stores that instances share; null or absent without other instances. */
  readonly shared?:
    | (Pick<ForwardingOptions, 'executions' | 'transport' | 'findOwner'> & {
        /** Sponsored executions by their takers, set up as `SHARED_TAKER_LEASES` says. */
        readonly sponsoredTakers: ExecutionStore;
      })
    | null;
  /** Null or absent: every taker pays. */
  readonly sponsor?: Sponsor | null;
  /** Null or absent: only referrers take fees. */
  readonly house?: House | null;
  /** Null or absent: no ledger of orders is kept. */
  readonly ledger?: OrderLedger | null;
  /** Default: nothing is recorded. */
  readonly metrics?: Metrics;
};

/** The most that wait in this process, or that it has stored for all. Each takes about two kilobytes. */
const ORDERS = 20_000;

/** Composes the swap product over a market. */
export function composeSwap(market: SwapMarket, options: SwapOptions): ComposedSwap {
  const { timers, engines, venueLabels, newRequestId, onDefect } = options;
  const { sponsor = null, house = null, shared = null, ledger = null, metrics = NO_METRICS } = options;
  const orders = measureOrders(createOrderStore(market, options), metrics, timers);
  return {
    ...market,
    ...engines,
    venueLabels,
    newRequestId,
    onDefect,
    timers,
    orders: ledger === null ? orders : recordExecutions(orders, ledger),
    ledger,
    house,
    sponsor,
    takerLeases:
      shared === null ? new MemoryTakerLeases(timers) : new SharedTakerLeases(shared.sponsoredTakers),
    forwardExecution:
      shared === null
        ? null
        : createExecutionForwarder({
            executions: shared.executions,
            transport: shared.transport,
            findOwner: shared.findOwner,
            timers,
          }),
  };
}

function createOrderStore(
  { chain }: SwapMarket,
  { shared, timers, newRequestId, onDefect }: SwapOptions,
): OrderDependencies['orders'] {
  const height = () => chain.blockHeight('confirmed');
  if (shared === undefined || shared === null)
    return new MemoryPreparedStore({ capacity: ORDERS, what: 'swaps', timers, height });
  return new SharedPreparedStore({
    executions: shared.executions,
    what: 'swaps',
    height,
    answers: { write: writeResult, read: readResult },
    capacity: ORDERS,
    timers,
    newHolder: newRequestId,
    onDefect: (error) => onDefect('orders', error),
  });
}
