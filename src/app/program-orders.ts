import { createOutageLog } from '../common/outage-log.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { openProgramOrders, type ProgramOrders } from '../program-orders/opening/open-program-orders.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/**
 * Opens the record of orders that live in programs. On the instance's own network they are always followed; over an outside
 * RPC, where it takes a call for each of their transactions, if the operator asks for it.
 */
export function openAppProgramOrders(
  { config, logger, toClose }: StartContext,
  { state, network, market }: Pick<LowerRooms, 'state' | 'network' | 'market'>,
): ProgramOrders {
  const isOwnNetwork = network.embedded !== null;
  const orders = openProgramOrders({
    chain: market.chain,
    store: state.store,
    follows: isOwnNetwork || config.trigger.followsOrderPrograms,
    isOwnNetwork,
    historyDays: config.trigger.historyDays,
    timers: SYSTEM_TIMERS,
    createOutageLog: (program) =>
      createOutageLog(
        logger,
        `the orders of the program ${program} cannot be followed; what is missed meanwhile is read later`,
        `the orders of the program ${program} are followed again`,
      ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'orders of a program'),
  });
  toClose(orders.close);
  orders.start();
  return orders;
}
