import type { BuildParts } from './build-parts.ts';
import { metisEngine } from './engines/metis.ts';
import { MemoryOrders } from './memory-orders.ts';
import type { OrderParts } from './order.ts';
import type { Timers } from '../timers.ts';

export interface SwapParts extends BuildParts, OrderParts {
  /** Labels of the venues that routes may use, by the program. */
  readonly venueLabels: Readonly<Record<string, string>>;
}

export type Surroundings = Pick<SwapParts, 'venueLabels' | 'newRequestId' | 'onDefect'> & {
  readonly timers: Timers;
};

/** Longer than an engine that asks others should take, and shorter than a person notices. */
const QUOTE_DEADLINE_MS = 400;
/** Some two kilobytes each. */
const ORDERS = 20_000;

/** The swap product over a market. A further engine is one more line here. */
export function swapParts(build: BuildParts, surroundings: Surroundings): SwapParts {
  return {
    ...build,
    ...surroundings,
    engines: [metisEngine(build)],
    quoteDeadlineMs: QUOTE_DEADLINE_MS,
    orders: new MemoryOrders({ capacity: ORDERS, now: () => surroundings.timers.now() }),
  };
}
