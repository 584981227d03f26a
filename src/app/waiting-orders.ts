import { createOutageLog } from '../common/outage-log.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import {
  openWaitingOrders,
  type WaitingOrders,
  type WaitingOrdersOptions,
} from '../waiting-orders/opening/open-waiting-orders.ts';
import { OrderEarn } from '../lend/earn/order-earn.ts';
import { createNetworkLead } from './network-lead.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/** Opens the orders that wait for a price. */
export async function openAppOrders(
  { config, logger, toClose }: StartContext,
  { state, network, custody, market, marketData }: LowerRooms,
  { metrics, isKeeper, gasWallet }: Pick<WaitingOrdersOptions, 'metrics' | 'isKeeper' | 'gasWallet'>,
): Promise<WaitingOrders> {
  const { store } = state;
  const { chain } = market;
  const { maxOpen, holdSlots, floorBps, maxFloorBps, historyDays, allowedMints } = config.trigger;
  const orders = await openWaitingOrders({
    store,
    market,
    marketData,
    custody: custody.custody,
    earn: new OrderEarn(market.pools, () => chain.clock()),
    gasWallet,
    limits: {
      maxOpen,
      holdSlots,
      floorBps,
      maxFloorBps,
      historyDays,
      allowedMints: new Set(allowedMints),
      feeBps: config.gas.feeBps,
    },
    isKeeper,
    // Over an outside RPC, nobody puts the clock of the network forward.
    aheadMs: network.embedded === null ? () => 0 : createNetworkLead(chain, config.slotMs),
    timers: SYSTEM_TIMERS,
    metrics,
    outage: createOutageLog(
      logger,
      'the store of orders that wait does not answer; they are filled again when it does',
      'orders that wait are filled again',
    ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'the keeper of orders that wait failed'),
  });
  toClose(orders.close);
  return orders;
}
