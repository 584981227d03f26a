import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { venueLabels } from '../market/venue.ts';
import { VENUES } from '../market/venues/index.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import type { OpenFills } from './fills.ts';
import { JUPITER_RFQ_V2 } from '../rfq/index.ts';
import type { BuildParts } from '../products/swap/build/build-parts.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';
import { type Surroundings, type SwapParts, swapParts } from '../products/swap/order/swap-parts.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';

/** The swap product over a market, joined with what the other rooms have for it. */
export function openSwap(
  parts: BuildParts,
  joined: {
    readonly shared: Exclude<Surroundings['shared'], undefined>;
    readonly metrics: Metrics;
    readonly makers: OpenFills;
    readonly sponsor: Sponsor | null;
  },
  logger: FastifyBaseLogger,
): SwapParts {
  return swapParts(parts, {
    ...joined,
    venueLabels: { ...venueLabels(VENUES), [JUPITER_RFQ_V2.program]: JUPITER_RFQ_V2.label },
    timers: SYSTEM_TIMERS,
    newRequestId: randomUUID,
    onDefect: (where, error) => logger.error({ where, err: error }, 'the swap product has a defect'),
  });
}
