import { createFairTimers, openRunningTime } from '../../common/ports/running-time.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { openPeers } from '../../rfq/cluster/peers.ts';
import { openMakerChecks } from '../../rfq/conformance/open-maker-checks.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { Market } from '../market/market.ts';
import type { OpenedNetwork } from '../state/network.ts';
import type { StartContext } from '../state/start-context.ts';
import type { AppState } from '../state/state.ts';
import { openMakers } from './makers.ts';

interface LowerParts {
  readonly state: Pick<AppState, 'valkey' | 'platform'>;
  readonly network: Pick<OpenedNetwork, 'embedded'>;
  readonly market: Pick<Market, 'chain' | 'prices'>;
}

/** Opens the market makers' side, and the connection to the other instances on which it depends. */
export async function openMakerRooms(
  { config, logger, toClose }: StartContext,
  { state, network, market }: LowerParts,
  metrics: Metrics,
  ledger: OrderLedger,
) {
  const running = openRunningTime();
  toClose(running.stop);
  const deadlines = createFairTimers(SYSTEM_TIMERS, running);
  const { valkey } = state;
  const peers =
    valkey === null
      ? null
      : await openPeers({
          valkey,
          deadlines,
          onJoin: (instance) => logger.info({ instance }, 'joined the instances on this Valkey'),
          onDefect: (error) => logger.error({ err: error }, 'a request of another instance failed'),
        });
  const makers = await openMakers({
    config: config.makers,
    allowsPrivate: config.makers.webhooks.privateAddresses || !config.production,
    chain: market.chain,
    prices: market.prices,
    platform: state.platform,
    metrics,
    ledger,
    logger,
    peers,
    deadlines,
  });
  toClose(() => makers.close());
  const makerChecks = openMakerChecks({
    rfq: makers.rfq,
    webhooks: makers.webhooks.makers,
    allowsPrivate: makers.controls.allowsPrivate,
    chain: network.embedded,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.error({ err: error }, 'a conformance check of a maker could not be completed'),
  });
  toClose(() => makerChecks?.close());
  return { peers, makers, makerChecks };
}
