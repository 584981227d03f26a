import { type Metrics, NO_METRICS } from '../../common/ports/metrics.ts';
import type { FillExecution, MakerTrades, WebhookFillRecords, Webhooks } from '../../rfq/index.ts';
import type { ExtraLiquidity } from '../../swaps/extra-liquidity.ts';
import type { ExecutionStore } from '../../common/ports/execution-store.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { type ForwardingOptions, createExecutionForwarder } from './execution/forward-execution.ts';
import { createMetisEngine } from '../../swaps/engines/metis.ts';
import { MemoryPreparedStore } from '../../transactions/prepared/memory-prepared-store.ts';
import { measureOrders } from './execution/measured-orders.ts';
import { MakerFills } from '../../rfq/fills/maker-fills.ts';
import { TakerCommitments } from '../../rfq/fills/prospects/taker-commitments.ts';
import { WebhookFills } from '../../rfq/fills/webhook/webhook-fills.ts';
import { createJupiterzEngine } from '../../rfq/jupiterz/jupiterz.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import type { ComposedSwap } from './endpoints/swap-services.ts';
import type { OrderDependencies } from './order/order.ts';
import { SharedPreparedStore } from '../../transactions/prepared/shared-prepared-store.ts';
import type { House } from '../../swaps/fees/house-fee.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import { MemoryTakerLeases, SharedTakerLeases } from '../../transactions/sponsor/taker-leases.ts';

/** What is joined to the market: other instances, makers, the sponsor and the metrics. */
export type SwapOptions = Pick<ComposedSwap, 'venueLabels' | 'newRequestId' | 'onDefect'> & {
  readonly timers: Timers;
  /** The stores that instances share; null or absent without other instances. */
  readonly shared?:
    | (Pick<ForwardingOptions, 'executions' | 'transport' | 'findOwner'> & {
        /** Sponsored executions by their takers, set up as `SHARED_TAKER_LEASES` says. */
        readonly sponsoredTakers: ExecutionStore;
      })
    | null;
  /** The makers' order books, their fills and their statistics; null or absent without makers. */
  readonly makers?: {
    readonly books: ExtraLiquidity;
    readonly fills: FillExecution;
    readonly trades: MakerTrades;
  } | null;
  /** The makers that are asked by webhook, and the records of their swaps; null or absent without them. */
  readonly webhooks?: { readonly makers: Webhooks; readonly records: WebhookFillRecords } | null;
  /** Null or absent: every taker pays. */
  readonly sponsor?: Sponsor | null;
  /** Null or absent: only referrers take fees. */
  readonly house?: House | null;
  /** Default: nothing is recorded. */
  readonly metrics?: Metrics;
};

/** Longer than an engine that queries others should take, and shorter than a person notices. */
const QUOTE_DEADLINE_MS = 400;
/** What is left for simulating the makers' quotes after they have come. */
const SIMULATION_MS = 150;
/** The most that wait in this process, or that it has stored for all. Each takes about two kilobytes. */
const ORDERS = 20_000;

/** Composes the swap product over a market. A further engine is one more line here. */
export function composeSwap(market: SwapMarket, options: SwapOptions): ComposedSwap {
  const { timers, venueLabels, newRequestId, onDefect } = options;
  const {
    makers = null,
    webhooks = null,
    sponsor = null,
    house = null,
    shared = null,
    metrics = NO_METRICS,
  } = options;
  const { chain, pools, prices, describeFailure } = market;
  const commitments = new TakerCommitments();
  const fillDependencies = { commitments, chain, describeFailure, timers, onDefect };
  return {
    ...market,
    venueLabels,
    newRequestId,
    onDefect,
    timers,
    engines: [
      createMetisEngine({ ...market, sponsor, books: makers?.books ?? null }),
      ...(webhooks === null
        ? []
        : [createJupiterzEngine({ chain, pools, prices, describeFailure, webhooks: webhooks.makers })]),
    ],
    quoteDeadlineMs: Math.max(QUOTE_DEADLINE_MS, (webhooks?.makers.quoteMs ?? 0) + SIMULATION_MS),
    orders: measureOrders(createOrderStore(market, options), metrics, timers),
    house,
    sponsor,
    takerLeases:
      shared === null ? new MemoryTakerLeases(timers) : new SharedTakerLeases(shared.sponsoredTakers),
    makerFills:
      makers === null
        ? null
        : new MakerFills({ ...fillDependencies, execution: makers.fills, trades: makers.trades, prices }),
    webhookFills:
      webhooks === null
        ? null
        : new WebhookFills({
            ...fillDependencies,
            webhooks: webhooks.makers,
            records: webhooks.records,
          }),
    trades: makers?.trades ?? null,
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
