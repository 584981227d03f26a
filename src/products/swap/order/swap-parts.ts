import { type Metrics, NO_METRICS } from '../../../common/ports/metrics.ts';
import type { BookLiquidity, FillExecution, MakerTrades } from '../../../rfq/index.ts';
import type { SharedRuns } from '../../../common/ports/shared-runs.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { BuildParts } from '../build/build-parts.ts';
import {
  type ForwardingOptions,
  type ForwardExecution,
  forwardExecution,
} from '../execution/forward-execution.ts';
import { metisEngine } from '../engines/metis.ts';
import { fillVolume } from '../execution/fill-volume.ts';
import type { LandParts } from '../execution/land-order.ts';
import { MemoryStore } from '../../../transactions/prepared/memory-store.ts';
import { measuredOrders } from '../execution/measured-orders.ts';
import { OpenFills } from '../execution/open-fills.ts';
import { SignedFills } from '../execution/signed-fills.ts';
import type { ExecuteResponse } from '../execution/execute-schema.ts';
import type { OrderParts } from './order.ts';
import { SharedStore } from '../../../transactions/prepared/shared-store.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import {
  MemoryTakerLeases,
  SharedTakerLeases,
  type TakerLeases,
} from '../../../transactions/sponsor/taker-leases.ts';

export interface SwapParts extends BuildParts, OrderParts {
  /** Executes swaps with makers; null where there are none. */
  readonly fills: FillExecution | null;
  /** The open swaps of takers with makers. */
  readonly openFills: OpenFills;
  /** Those that makers have signed. */
  readonly signedFills: SignedFills;
  readonly onSwapped: NonNullable<LandParts['onSwapped']>;
  /** Null where there are no other instances. */
  readonly forwardExecution: ForwardExecution | null;
  /** Pays for takers without SOL; null where nobody does. */
  readonly sponsor: Sponsor | null;
  readonly takerLeases: TakerLeases;
}

export type Surroundings = Pick<SwapParts, 'venueLabels' | 'newRequestId' | 'onDefect'> & {
  readonly timers: Timers;
  /** Where orders are kept together with other instances, when there are any. */
  readonly shared?:
    | (Pick<ForwardingOptions, 'runs' | 'relay' | 'homeOf'> & {
        /** Sponsored executions by their takers, set up as `SHARED_TAKER_LEASES` says. */
        readonly sponsoredTakers: SharedRuns;
      })
    | null;
  /** The makers' books, who has makers sign, and who counts; null, or absent, where no makers trade. */
  readonly makers?: {
    readonly books: BookLiquidity;
    readonly fills: FillExecution;
    readonly trades: MakerTrades;
  } | null;
  /** Null, or absent: every taker pays. */
  readonly sponsor?: Sponsor | null;
  /** Default: nobody watches. */
  readonly metrics?: Metrics;
};

/** Longer than an engine that asks others should take, and shorter than a person notices. */
const QUOTE_DEADLINE_MS = 400;
/** Some two kilobytes each. */
const ORDERS = 20_000;

/** The swap product over a market. A further engine is one more line here. */
export function swapParts(build: BuildParts, surroundings: Surroundings): SwapParts {
  const { timers, makers = null, sponsor = null, shared = null } = surroundings;
  return {
    ...build,
    ...surroundings,
    engines: [metisEngine({ ...build, sponsor, books: makers?.books ?? null })],
    sponsor,
    takerLeases:
      shared === null ? new MemoryTakerLeases(timers) : new SharedTakerLeases(shared.sponsoredTakers),
    fills: makers?.fills ?? null,
    trades: makers?.trades ?? null,
    openFills: new OpenFills(),
    signedFills: new SignedFills(build.chain, () => timers.now(), surroundings.onDefect),
    onSwapped: ({ coSigner }, landed) => {
      if (coSigner === undefined) return;
      makers?.trades.traded(coSigner.makerId, fillVolume(build.pools, coSigner, landed));
    },
    forwardExecution: shared === null ? null : forwardExecution({ ...shared, timers }),
    quoteDeadlineMs: QUOTE_DEADLINE_MS,
    orders: measuredOrders(ordersIn(surroundings), surroundings.metrics ?? NO_METRICS, () =>
      surroundings.timers.now(),
    ),
  };
}

function ordersIn({ shared, timers, newRequestId, onDefect }: Surroundings): OrderParts['orders'] {
  if (shared === undefined || shared === null)
    return new MemoryStore({ capacity: ORDERS, what: 'swaps', now: () => timers.now() });
  return new SharedStore({
    runs: shared.runs,
    what: 'swaps',
    answers: { write: JSON.stringify, read: (text) => JSON.parse(text) as ExecuteResponse },
    capacity: ORDERS,
    timers,
    newHolder: newRequestId,
    onDefect: (error) => onDefect('orders', error),
  });
}
