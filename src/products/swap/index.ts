import { randomUUID } from 'node:crypto';
import { venueLabels } from '../../market/venue.ts';
import { VENUES } from '../../market/venues/index.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { JUPITER_RFQ_V2 } from '../../rfq/index.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import type { BuildParts } from './build/build-parts.ts';
import { build } from './endpoints/build.ts';
import { execute } from './endpoints/execute.ts';
import { order } from './endpoints/order.ts';
import { programIdToLabel } from './endpoints/program-id-to-label.ts';
import type { SwapServices } from './endpoints/services.ts';
import { programIdToLabelV1 } from './endpoints/v1-program-id-to-label.ts';
import { quoteV1 } from './endpoints/v1-quote.ts';
import { swapV1 } from './endpoints/v1-swap.ts';
import { swapInstructionsV1 } from './endpoints/v1-swap-instructions.ts';
import { handleForwardedExecutions } from './execution/execute.ts';
import { resumeFills } from './execution/fill-execution.ts';
import { type Surroundings, type SwapParts, swapParts } from './order/swap-parts.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';

/** What swaps are made of, and what they are joined with. */
export interface SwapDependencies {
  readonly market: BuildParts;
  /** Null where there are no other instances. */
  readonly peers: NonNullable<Surroundings['shared']> | null;
  readonly metrics: Metrics;
  readonly makers: NonNullable<Surroundings['makers']>;
  /** Null: every taker pays. */
  readonly sponsor: Sponsor | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export const swap = defineProduct({
  name: 'swap',
  // Whoever may swap may also submit transactions.
  basePaths: ['/swap', '/tx'],
  endpoints: [
    build,
    order,
    execute,
    programIdToLabel,
    quoteV1,
    swapV1,
    swapInstructionsV1,
    programIdToLabelV1,
  ],
  open: openSwap,
});

async function openSwap(dependencies: SwapDependencies): Promise<OpenedProduct<SwapServices>> {
  const { market, peers, metrics, makers, sponsor, onDefect } = dependencies;
  const parts = swapParts(market, {
    shared: peers,
    metrics,
    makers,
    sponsor,
    venueLabels: { ...venueLabels(VENUES), [JUPITER_RFQ_V2.program]: JUPITER_RFQ_V2.label },
    timers: SYSTEM_TIMERS,
    newRequestId: randomUUID,
    onDefect,
  });
  if (peers !== null) await handleForwardedExecutions(parts, peers.relay);
  resumeFills(parts).catch((error: unknown) => onDefect('swaps with makers of before the start', error));
  return servicesOver(parts);
}

/** The services of the endpoints, and what waits for executions that are under way. */
export function servicesOver(parts: SwapParts): OpenedProduct<SwapServices> {
  return {
    services: { swap: parts, labels: Object.values(parts.venueLabels) },
    drain: () => parts.orders.settled(),
  };
}
