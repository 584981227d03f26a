import type { FastifyInstance } from 'fastify';
import { createGateway } from '../../gateway/gateway.ts';
import { createLogger } from '../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../gateway/limits/rate-limiter.ts';
import { createSwapServices, swap } from '../../products/swap/index.ts';
import type { TestSwap } from './swap.ts';
import { DEFAULT_BOUNDS } from '../server-bounds.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';

const UNLIMITED = { admitted: true, current: 1, limit: 1_000_000, freesAt: 0 };

/** The front door over a swap product, for clients without a key that send requests without end. */
export function openSwapGateway({ composed }: TestSwap): Promise<FastifyInstance> {
  return createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: () => null,
      limiter: { ...createInProcessLimiter(), hit: () => UNLIMITED },
      countryOf: () => null,
      now: SYSTEM_TIMERS.now,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [swap.run(createSwapServices(composed))],
  });
}
