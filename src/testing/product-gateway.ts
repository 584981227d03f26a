import type { FastifyInstance } from 'fastify';
import { createGateway, type GatewayOptions } from '../gateway/gateway.ts';
import { createLogger } from '../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../gateway/limits/rate-limiter.ts';
import type { RunningProduct } from '../products/product.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { DEFAULT_BOUNDS } from './server-bounds.ts';

const UNLIMITED = { admitted: true, current: 1, limit: 1_000_000, freesAt: 0 };

/**
 * The front door over a product, for clients without a key that send requests without end.
 * @param pipeline - What differs from that. Default: nothing.
 */
export function openProductGateway(
  product: RunningProduct,
  pipeline: Partial<GatewayOptions['pipeline']> = {},
): Promise<FastifyInstance> {
  return createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: () => null,
      limiter: { ...createInProcessLimiter(), hit: () => UNLIMITED },
      countryOf: () => null,
      now: SYSTEM_TIMERS.now,
      ...pipeline,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [product],
  });
}

/** An answer as a client reads it. */
export interface JsonAnswer {
  readonly status: number;
  /** Its fields are those of the endpoint. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the answers of all endpoints
  readonly json: any;
}

/** Sends a body. A text is sent as it is. */
export async function postJson(gateway: FastifyInstance, url: string, body: unknown): Promise<JsonAnswer> {
  const { statusCode, payload } = await gateway.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: statusCode, json: JSON.parse(payload) };
}

export async function getJson(
  gateway: FastifyInstance,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonAnswer> {
  const { statusCode, payload } = await gateway.inject({
    method: 'GET',
    url: `${path}?${new URLSearchParams(query)}`,
  });
  return { status: statusCode, json: JSON.parse(payload) };
}
