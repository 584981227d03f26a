import { createOutageLog } from '../common/outage-log.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import {
  openWaitingOrders,
  type WaitingOrders,
  type WaitingOrdersOptions,
} from '../waiting-orders/opening/open-waiting-orders.ts';
import { OrderEarn } from '../lend/earn/order-earn.ts';
import { createNetworkLead } from './network-lead.ts';
import { openGasWallet } from './gas-wallet.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/**
 * Opens the orders that wait for a price, with the wallet that pays for their fills.
 * @throws OperatorError when the keypair of the gas wallet cannot be read
 */
export async function openAppOrders(
  { config, logger, toClose }: StartContext,
  { state, network, custody, market, marketData }: LowerRooms,
  { metrics, isKeeper }: Pick<WaitingOrdersOptions, 'metrics' | 'isKeeper'>,
): Promise<WaitingOrders> {
  const { store } = state;
  const { chain } = market;
  const own = config.production || network.wallets === null ? null : network.wallets.sponsor;
  const gasWallet = isKeeper ? await openGasWallet(config.gas, { own, store, chain }) : null;
  toClose(() => gasWallet?.close());
  if (isKeeper && gasWallet === null) {
    logger.info(
      'orders that wait are not filled, because no wallet pays for fills: give one with gas-keypair',
    );
  }
  if (gasWallet !== null) {
    metrics.gauge('sluice_gas_wallet_lamports', 'Lamports of the wallet that pays for fills.', () =>
      Number(gasWallet.lamports() ?? Number.NaN),
    );
  }
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
