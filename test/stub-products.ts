import type { FastifyInstance } from 'fastify';
import { PRODUCTS } from '../src/app/products.ts';
import { createGateway, type GatewayOptions } from '../src/gateway/gateway.ts';
import { createLogger } from '../src/gateway/http/log/log.ts';
import { createInProcessLimiter } from '../src/gateway/limits/rate-limiter.ts';
import { OtherAnswer } from '../src/products/endpoint.ts';
import type { RunningProduct } from '../src/products/product.ts';
import { createProductWithoutEndpoints } from '../src/testing/products/opened-product.ts';
import { DEFAULT_BOUNDS } from '../src/testing/server-bounds.ts';

/** The status with which the endpoints of `STUB_PRODUCTS` answer. */
export const REACHED = 418;

/** Every path of every product with its method, the aliases included, and the other paths of the same endpoint. */
export const SERVED_PATHS = PRODUCTS.flatMap(({ endpoints }) => endpoints).flatMap(
  ({ method, path, aliases, isOpen }) =>
    [path, ...aliases].map((served, _, all) => ({
      method: method as 'GET' | 'POST' | 'PUT',
      path: served,
      /** Whether every key and nobody's key opens it. */
      isOpen,
      /** The path with a value in each place for one. */
      url: served.replace(/:\w+/g, 'x'),
      others: all.filter((other) => other !== served),
    })),
);

/** The registered products with all their paths. No part of a request is validated, and each handler says that it was reached. */
export const STUB_PRODUCTS: readonly RunningProduct[] = PRODUCTS.map(
  ({ name, description, basePaths, endpoints }) => ({
    ...createProductWithoutEndpoints(name, ...basePaths),
    description,
    endpoints: endpoints.map((endpoint) => ({
      endpoint: { ...endpoint, query: null, params: null, body: null },
      handle: () => new OtherAnswer(REACHED, { reached: endpoint.path }),
    })),
  }),
);

/** Opens a gateway whose clock stands still and that knows no keys, over `STUB_PRODUCTS` if no others are given. */
export function openStubGateway(
  pipeline: Partial<GatewayOptions['pipeline']>,
  others: Partial<Pick<GatewayOptions, 'products' | 'extraPorts'>> = {},
): Promise<FastifyInstance> {
  return createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: () => null,
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => 0,
      ...pipeline,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: STUB_PRODUCTS,
    ...others,
  });
}
