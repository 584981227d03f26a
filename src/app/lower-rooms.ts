import { type Market, openMarket } from './market/market.ts';
import { openMarketData } from './market/market-data.ts';
import { PoolPrices } from '../market/prices/pool-prices.ts';
import { type AppCustody, openAppCustody } from './state/custody.ts';
import { type OpenedNetwork, openNetwork } from './state/network.ts';
import type { StartContext } from './state/start-context.ts';
import { listProductNames } from './products.ts';
import { openState, type AppState } from './state/state.ts';
import { LOG_MIGRATIONS, STORE_MIGRATIONS } from './tables.ts';
import { refuseTakenPorts } from '../common/refuse-taken-ports.ts';
import type { ListenOptions } from '../common/listen-error.ts';
import { readPackageVersion } from '../common/package.ts';
import { createTracedChain } from '../chain/traced-chain.ts';
import type { Tracing } from '../common/ports/tracing.ts';
import { openTracing } from '../gateway/tracing/open-tracing.ts';
import type { LiveMarketData } from '../market-data/live-market-data.ts';
import type { SwapMarket } from '../swaps/build/swap-market.ts';

/** What the instance keeps and reads: its state, the network, and the market on it. */
export interface LowerRooms {
  readonly state: AppState;
  readonly custody: AppCustody;
  /** Null when requests are not traced. */
  readonly tracing: Tracing | null;
  readonly network: OpenedNetwork;
  readonly market: Market & Pick<SwapMarket, 'noteSlippage'>;
  readonly marketData: LiveMarketData;
}

/**
 * Opens the rooms below the products, without the market makers.
 * @param ports - The addresses that the process will listen on. It ends early if one is taken.
 * @throws OperatorError when something outside the program is wrong, such as the folder or a file
 */
export async function openLowerRooms(
  opening: StartContext,
  ports: readonly ListenOptions[],
): Promise<LowerRooms> {
  const { config, logger, toClose } = opening;
  const state = await openState(opening, listProductNames(), {
    store: STORE_MIGRATIONS,
    log: LOG_MIGRATIONS,
  });
  const custody = await openAppCustody(opening, state);
  await refuseTakenPorts(ports);
  const telemetry = await openTracing({
    endpoint: config.otlpEndpoint,
    share: config.traceShare,
    version: readPackageVersion(),
  });
  toClose(() => telemetry?.close());
  const tracing = telemetry === null ? null : telemetry.tracing;
  const network = await openNetwork(config, state.folder, logger);
  const chain = tracing === null ? network.chain : createTracedChain(network.chain, tracing);
  toClose(() => chain.close());
  toClose(() => {
    for (const endpoint of network.sendEndpoints) endpoint.close();
  });
  const unpriced = await openMarket({ chain, lookupTables: network.lookupTables });
  toClose(unpriced.close);
  const marketData = await openMarketData(unpriced, state, logger);
  toClose(() => marketData.close());
  const prices = new PoolPrices(unpriced.pools, (mint) => marketData.dollarsPerAtom(mint));
  const noteSlippage: SwapMarket['noteSlippage'] = (estimated) =>
    logger.debug(estimated, 'slippage estimated');
  return { state, custody, tracing, network, market: { ...unpriced, prices, noteSlippage }, marketData };
}
