import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fastify, { type FastifyInstance } from 'fastify';
import { createGateway } from '../src/gateway/gateway.ts';
import { listen } from '../src/gateway/http/listen.ts';
import { createLogger } from '../src/gateway/http/log/log.ts';
import { createPrometheus } from '../src/gateway/metrics/prometheus.ts';
import { createLimiter } from '../src/gateway/limits/shared-limiter.ts';
import { closeServer } from '../src/gateway/server/server.ts';
import { compileRules } from '../src/platform/firewall/evaluate.ts';
import type { KnownKey } from '../src/platform/callers/key-cache.ts';
import { createKey } from '../src/platform/accounts/keys.ts';
import { openTestPlatform } from '../src/testing/platform/test-platform.ts';
import { createProductWithoutEndpoints } from '../src/testing/products/opened-product.ts';
import { openTestTraffic } from '../src/testing/platform/traffic.ts';
import type { TrafficLog } from '../src/platform/traffic/log/traffic-log.ts';
import { openTestLog } from '../src/testing/store/test-store.ts';
import { memoize } from '../src/common/collections/memoized.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { disablePretenuring } from '../src/cli/commands/start/v8-flags.ts';
import { usualRules } from './firewall-rules.ts';
import { quantileOf } from './latency.ts';
import { openPlainLoad, type PlainLoad } from './plain-load.ts';
import type { Row } from './row.ts';
import { unwrap } from '../src/testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../src/testing/server-bounds.ts';

export const title = 'Request pipeline';

const WARM_UP = 2_000;
const REQUESTS = 2_500;
const ROUNDS = 16;
const CONNECTIONS = 32;
/** So few requests that their garbage fits into the young generation, and no collection happens among them. */
const COUNTED_REQUESTS = 300;
const COUNTED_ROUNDS = 15;
const PATH = '/swap/v2/measured';
const BODY = { inAmount: '100000000', outAmount: '14512345', slippageBps: 50 };
const LISTEN = { host: '127.0.0.1', port: 0, setting: 'rest-port' };
/** The runs send more requests than any plan admits in a minute. */
const LIMITS = { main: 1_000_000, execute: 1_000_000, submit: 1_000_000 };

/**
 * The same route and body through the whole gateway and on bare Fastify, by turns, in one process over loopback. The
 * load is in that process too, so that what it takes is the same for both however busy the machine is. The engine is
 * set as `sluice start` sets it, for both.
 */
export async function run(): Promise<readonly Row[]> {
  disablePretenuring();
  const platform = await openTestPlatform(Date.now());
  const path = { organisation: 'demo', team: 'demo', key: 'bench' };
  const { key } = unwrap(
    await createKey(platform, { who: 'bench', from: 'bench' }, path, {
      products: ['swap'],
    }),
  );
  const logDatabase = await openTestLog('sqlite');
  const log = await openTestTraffic(logDatabase.log, { now: Date.now, every: everyMilliseconds });
  const gateway = await openGateway(platform.keys, log);
  const bare = fastify();
  registerRoute(bare);
  const urls = { gateway: await listen(gateway, LISTEN), bare: await listen(bare, LISTEN) };
  const loads: Record<Which, Loads> = {
    gateway: await openLoads(urls.gateway, key),
    bare: await openLoads(urls.bare, key),
  };
  try {
    const { times, rates, processorTimes } = await measure(loads);
    const bytes = {
      gateway: await allocatedBytes(loads.gateway.many),
      bare: await allocatedBytes(loads.bare.many),
    };
    if (log.dropped > 0) throw new Error(`the request log dropped ${log.dropped} rows`);
    return [addedRow(times), shareRow(rates), processorRow(processorTimes), bytesRow(bytes)];
  } finally {
    for (const { single, many } of Object.values(loads)) for (const load of [single, many]) load.close();
    await closeServer(gateway);
    await bare.close();
    await log.close();
    await logDatabase.cleanUp();
    await platform.cleanUp();
  }
}

type Which = 'gateway' | 'bare';
/** One request at a time, and many. */
interface Loads {
  readonly single: PlainLoad;
  readonly many: PlainLoad;
}

async function openLoads(server: string, key: string): Promise<Loads> {
  const to = { url: `${server}${PATH}`, key, body: JSON.stringify(BODY) };
  const loads = {
    single: await openPlainLoad({ ...to, connections: 1 }),
    many: await openPlainLoad({ ...to, connections: CONNECTIONS }),
  };
  for (const load of [loads.single, loads.many]) await load.send(WARM_UP);
  return loads;
}

const WHICH: readonly Which[] = ['gateway', 'bare'];

/**
 * Of each round: milliseconds of single requests, and, when many are sent at once, requests in a millisecond and
 * microseconds of processor time of all threads for each of them.
 */
async function measure(loads: Record<Which, Loads>) {
  const times: Record<Which, number[][]> = { gateway: [], bare: [] };
  const rates: Record<Which, number[]> = { gateway: [], bare: [] };
  const processorTimes: Record<Which, number[]> = { gateway: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const which of WHICH) {
      times[which].push(await loads[which].single.send(REQUESTS));
      const begin = performance.now();
      const used = process.cpuUsage();
      await loads[which].many.send(REQUESTS);
      const { user, system } = process.cpuUsage(used);
      rates[which].push(REQUESTS / (performance.now() - begin));
      processorTimes[which].push((user + system) / REQUESTS);
    }
  }
  return { times, rates, processorTimes };
}

/**
 * Returns the median of several counts of the bytes that one request allocates on the JavaScript heap, with what the
 * load allocates for it. Unlike times, this depends on the code and the version of Node alone.
 */
async function allocatedBytes(load: PlainLoad): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const counts: number[] = [];
  for (let round = 0; round < COUNTED_ROUNDS; round++) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    await load.send(COUNTED_REQUESTS);
    counts.push((process.memoryUsage().heapUsed - before) / COUNTED_REQUESTS);
  }
  return quantileOf(
    counts.sort((one, other) => one - other),
    0.5,
  );
}

/** With a request log in a file, and a firewall of which one rule, a rate limit, matches what is sent. */
function openGateway(
  keys: Pick<Awaited<ReturnType<typeof openTestPlatform>>['keys'], 'find'>,
  log: TrafficLog,
) {
  const rules = compileRules(usualRules());
  const withTerms = memoize((known: KnownKey): KnownKey => ({ ...known, rules, limits: LIMITS }));
  const { metrics } = createPrometheus((error) => {
    throw error;
  });
  return createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    metrics,
    pipeline: {
      overload: { maxInside: 1_000, maxWaiting: 1_000, after: SYSTEM_TIMERS.after, metrics },
      findKey: (key, now) => {
        const known = keys.find(key, now);
        return known === null ? null : withTerms(known);
      },
      limiter: createLimiter(null, 'fail-open', metrics),
      countryOf: () => 'CH',
      record: (entry) => log.record(entry),
      now: Date.now,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [createProductWithoutEndpoints('swap', '/swap')],
    registerRoutes: registerRoute,
  });
}

function everyMilliseconds(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
}

function registerRoute(app: FastifyInstance): void {
  app.get(PATH, async () => BODY);
}

/** The fastest round of each counts, which other load on the machine disturbed least. */
function addedRow(times: Record<Which, number[][]>): Row {
  const best = (which: Which, quantile: number) =>
    Math.min(
      ...times[which].map((round) =>
        quantileOf(
          [...round].sort((one, other) => one - other),
          quantile,
        ),
      ),
    );
  const added = [0.5, 0.99].map((quantile) => (best('gateway', quantile) - best('bare', quantile)) * 1_000);
  const [p50 = 0, p99 = 0] = added;
  return {
    what: 'latency that the whole pipeline adds, one request at a time: p50 / p99',
    measured: `${p50.toFixed(0)} µs / ${p99.toFixed(0)} µs`,
    against: 'bare Fastify',
    atLeast: 'at most 40 µs / 200 µs',
    ok: p50 <= 40 && p99 <= 200,
  };
}

function shareRow(rates: Record<Which, number[]>): Row {
  const best = (which: Which) => Math.max(...rates[which]);
  const share = best('gateway') / best('bare');
  return {
    what: `requests per second, ${CONNECTIONS} at a time`,
    measured: `${share.toFixed(2)} of ${Math.round(best('bare') * 1_000)}`,
    against: 'bare Fastify',
    atLeast: '0.65',
    ok: share >= 0.65,
  };
}

/** Other work on the machine lengthens processor times far less than it lowers rates. The load is in both of them. */
function processorRow(times: Record<Which, number[]>): Row {
  const [gateway, bare] = [Math.min(...times.gateway), Math.min(...times.bare)];
  return {
    what: 'processor time of all threads for a request, with the load',
    measured: `${gateway.toFixed(0)} µs, of which bare Fastify needs ${(bare / gateway).toFixed(2)}`,
    against: `bare Fastify: ${bare.toFixed(0)} µs`,
  };
}

function bytesRow({ gateway, bare }: Record<Which, number>): Row {
  const inKilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);
  const added = gateway - bare;
  return {
    what: 'heap that the whole pipeline allocates for a request, whatever the machine',
    measured: `${inKilobytes(added)} kB`,
    against: `bare Fastify and the load: ${inKilobytes(bare)} kB`,
    atLeast: 'at most 10 kB',
    ok: added <= 10_000,
  };
}
