import type { FastifyInstance } from 'fastify';
import { createGateway, type GatewayOptions } from '../src/gateway/gateway.ts';
import { listen } from '../src/gateway/http/listen.ts';
import { createLogger } from '../src/gateway/http/log/log.ts';
import { createInProcessLimiter } from '../src/gateway/limits/rate-limiter.ts';
import { closeServer } from '../src/gateway/server/server.ts';
import { createKey } from '../src/platform/accounts/keys.ts';
import { unwrap } from '../src/testing/platform/unwrap.ts';
import { openTestPlatform } from '../src/testing/platform/test-platform.ts';
import { DEFAULT_BOUNDS } from '../src/testing/server-bounds.ts';

/** A bench sends more than any plan admits in a minute. */
const LIMITS = { main: 1_000_000, execute: 1_000_000, submit: 1_000_000 };

/** A gateway that serves products on loopback, and a key that may use them. */
export interface KeyedGateway {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly port: number;
  readonly key: string;
  close(): Promise<void>;
}

/** @param registerRoutes adds routes beside those of the products */
export async function openKeyedGateway(
  products: GatewayOptions['products'],
  registerRoutes?: (app: FastifyInstance) => void,
): Promise<KeyedGateway> {
  const platform = await openTestPlatform(Date.now());
  const path = { organisation: 'demo', team: 'demo', key: 'bench' };
  const { key } = unwrap(await createKey(platform, { who: 'bench', from: 'bench' }, path, {}));
  const app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (each, now) => {
        const known = platform.keys.find(each, now);
        return known === null ? null : { ...known, limits: LIMITS };
      },
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: Date.now,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products,
    ...(registerRoutes === undefined ? {} : { registerRoutes }),
  });
  const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
  return {
    app,
    url,
    port: Number(new URL(url).port),
    key,
    close: async () => {
      await closeServer(app);
      await platform.cleanUp();
    },
  };
}
