import type { FastifyBaseLogger } from 'fastify';
import { openAdmin } from './admin.ts';
import { openDemoMaker } from './demo-maker.ts';
import { openFills } from './fills.ts';
import { openGateway } from './gateway.ts';
import { openMakerChecks } from './maker-checks.ts';
import { openMakers } from './makers.ts';
import { openMarket } from './market.ts';
import { openTracing, openTraffic, serveMetrics } from './measurement.ts';
import { type Network, openNetwork, type Place } from './network.ts';
import type { Close, StartContext } from './opening.ts';
import { openPeers } from './peers.ts';
import { openProducts } from './products.ts';
import { openSponsor } from './sponsor.ts';
import { openState, type State } from './state.ts';
import { tracedChain } from '../chain/traced-chain.ts';
import type { Config } from '../config/config.ts';
import type { Part } from '../gateway/health/health.ts';
import { listen } from '../gateway/http/listen.ts';
import { addInstanceMetrics } from '../gateway/metrics/instance.ts';
import { prometheus } from '../gateway/metrics/prometheus.ts';
import { limiterOver } from '../gateway/limits/shared-limiter.ts';
import type { Pools } from '../market/pools/pools.ts';
import { fairTimers, openRunningTime } from '../common/ports/running-time.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { address } from '../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../solana/program-addresses.ts';
import type { Sponsor } from '../transactions/sponsor/sponsor.ts';

export interface RunningApp {
  readonly urls: {
    readonly rest: string;
    readonly admin: string;
    /** For market makers. */
    readonly grpc: string;
    /** Null: on the admin port only. */
    readonly metrics: string | null;
  };
  readonly network: Place;
  /** Null with production. */
  readonly demoKey: { readonly key: string; readonly path: string } | null;
  /** Query of a first swap to try, but for the taker. */
  readonly swap: Readonly<Record<'inputMint' | 'outputMint' | 'amount', string>>;
  /** Where the admin interface's credential is kept; null: it is a setting. */
  readonly operatorCredentialFile: string | null;
  /** Closes the rooms in the reverse of the order in which they were opened. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the rooms from the ground up and joins them: data folder, network, market, products, gateway.
 * @throws OperatorError when something outside the program is wrong: the folder, a file, a port
 */
export async function startApp(config: Config, logger: FastifyBaseLogger): Promise<RunningApp> {
  const opened: Close[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    return { ...(await openRooms({ config, logger, toClose: (one) => opened.push(one) })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRooms(opening: StartContext): Promise<Omit<RunningApp, 'close'>> {
  const { config, logger, toClose } = opening;
  const state = await openState(opening);
  const tracing = await openTracing(opening);
  const network = await openNetwork(config, state.folder, logger);
  const chain = tracing === null ? network.chain : tracedChain(network.chain, tracing);
  toClose(() => chain.close());
  const market = await openMarket({ ...network, chain }, logger);
  toClose(market.close);
  const { pools } = market.parts;
  const parts = partsOf(config, state, network, pools);
  const prom = prometheus((error) => logger.error({ err: error }, 'a metric cannot be read'));
  const { metrics } = prom;
  addInstanceMetrics(metrics, { parts, chain, pools, keys: state.platform.keys, now: Date.now });
  const limiter = limiterOver(state.valkey, config.limits, metrics);
  const { log, part } = await openTraffic(opening, state, metrics);
  parts.push(part);
  const running = openRunningTime();
  toClose(running.stop);
  const deadlines = fairTimers(SYSTEM_TIMERS, running);
  const others = state.valkey === null ? null : await openPeers(state.valkey, logger, deadlines);
  const makers = await openMakers({
    config: config.makers,
    chain,
    platform: state.platform,
    metrics,
    logger,
    others,
  });
  toClose(() => makers.close());
  const fills = await openFills({
    rfq: makers.rfq,
    chain,
    store: state.store,
    metrics,
    logger,
    timers: SYSTEM_TIMERS,
    deadlines,
  });
  toClose(fills.close);
  const makerChecks = openMakerChecks({
    rfq: makers.rfq,
    fills,
    chain: network.embedded,
    timers: SYSTEM_TIMERS,
    logger,
  });
  toClose(() => makerChecks?.close());
  const sponsor = sponsorOf(opening, state, network);
  const products = await openProducts(opening, {
    market: market.parts,
    peers: others,
    metrics,
    makers: fills,
    sponsor,
    onDefect: (where, error) => logger.error({ where, err: error }, 'a product has a defect'),
  });
  parts.push(...products.flatMap(({ readiness }) => readiness));
  const watched = { parts, network, limiter, log };
  const admin = await openAdmin(opening, state, { ...watched, makers, makerChecks, metrics: prom });
  const metricsUrl = await serveMetrics(opening, prom);
  const gateway = await openGateway(opening, state, {
    ...watched,
    products,
    tracing,
    metrics,
    firstSwap: FIRST_SWAP,
  });
  const grpc = await makers.serve();
  parts.push({ name: 'grpc', unhealthy: grpc.unhealthy });
  const rest = await listen(gateway, { host: config.host, port: config.restPort, setting: 'rest-port' });
  const demo = { state, network, pools, grpcUrl: grpc.url, refresh: makers.controls.refresh };
  await openDemoMaker(opening, demo);
  return {
    urls: { rest, admin: admin.url, grpc: grpc.url, metrics: metricsUrl },
    network: network.place,
    demoKey: state.demoKey,
    swap: FIRST_SWAP,
    operatorCredentialFile: admin.credentialFile,
  };
}

/** What must answer, or is told of when it does not. */
function partsOf(config: Config, { store, valkey }: State, network: Network, pools: Pools): Part[] {
  const parts: Part[] = [
    { name: 'database', unhealthy: store.unhealthy },
    ...network.parts,
    { name: 'market', unhealthy: () => pools.unhealthy() },
  ];
  if (valkey === null) return parts;
  const part: Part = { name: 'valkey', unhealthy: valkey.unhealthy };
  return [...parts, config.limits === 'fail-open' ? { ...part, optional: true } : part];
}

function sponsorOf({ config, logger }: StartContext, { store }: State, network: Network): Sponsor | null {
  return openSponsor(config.sponsor, {
    own: network.sponsor,
    store,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.error({ err: error }, 'the database does not answer; nothing is sponsored meanwhile'),
  });
}

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const TENTH_OF_A_SOL = '100000000';
const FIRST_SWAP = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: TENTH_OF_A_SOL };
