import { NO_METRICS } from '../src/common/ports/metrics.ts';
import type { Limits } from '../src/platform/plans/plans.ts';
import { createGateway } from '../src/gateway/gateway.ts';
import { listen } from '../src/gateway/http/listen.ts';
import { createLogger } from '../src/gateway/http/log/log.ts';
import { createLimiter } from '../src/gateway/limits/shared-limiter.ts';
import { openShared } from '../src/store/shared/index.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { DEFAULT_BOUNDS } from '../src/testing/server-bounds.ts';

export const MEASURED_PATH = '/swap/v2/measured';
const BODY = { inAmount: '100000000', outAmount: '14512345', slippageBps: 50 };

/**
 * The public server with one route, to which every key is known and is its organisation's only one.
 * Returns its URL, and a function that closes it.
 */
export async function openLimitedGateway(valkeyUrl: string, limits: Limits) {
  const valkey = await openShared({
    url: valkeyUrl,
    sentinels: [],
    secret: 'bench',
    random: Math.random,
    production: false,
    onUnsafe: () => undefined,
    onChange: (lost) => {
      if (lost !== null) throw new Error(lost);
    },
  });
  const gateway = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (key) => ({
        id: key,
        name: key,
        teamId: key,
        organisationId: key,
        rules: null,
        limits,
        products: null,
        expiresAt: null,
      }),
      limiter: createLimiter(valkey, 'fail-closed', NO_METRICS),
      countryOf: () => null,
      now: Date.now,
      overload: { maxInside: 1_000, maxWaiting: 1_000, after: SYSTEM_TIMERS.after, metrics: NO_METRICS },
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: (app) => {
      app.get(MEASURED_PATH, async () => BODY);
    },
  });
  const url = await listen(gateway, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
  return {
    url,
    close: async () => {
      await gateway.close();
      valkey?.close();
    },
  };
}

/** As a process of its own: `limited-gateway.ts <valkey url> <limit>` prints its URL and runs until it is killed. */
const [, file = '', valkeyUrl, limit] = process.argv;
if (file.endsWith('limited-gateway.ts') && valkeyUrl !== undefined) {
  const { url } = await openLimitedGateway(valkeyUrl, {
    main: Number(limit),
    execute: Number(limit),
    submit: Number(limit),
  });
  process.stdout.write(`${url}\n`);
}
