import { createOutageLog } from '../common/outage-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import {
  openProgramKeeper,
  type OpenedProgramKeeper,
} from '../program-orders/opening/open-program-keeper.ts';
import { openProgramOrders, type ProgramOrders } from '../program-orders/opening/open-program-orders.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';
import { createKeeperLeases } from './keeper-leases.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/** The orders that live in programs, and the keeper that fills them. */
export interface AppProgramOrders extends Pick<ProgramOrders, 'lists'> {
  /** Returns why they are not followed or filled; null when they are. */
  readonly unhealthy: () => string | null;
  /** Begins no further fill. Resolves when none is on its way. */
  readonly drain: () => Promise<void>;
}

interface ProgramKeeperParts {
  readonly metrics: Metrics;
  /** Null where nobody pays for fills, or this process fills no orders. */
  readonly gasWallet: GasWallet | null;
}

/**
 * Opens the record of orders that live in programs, and the keeper that fills them. On the instance's own network they are
 * always followed; over an outside RPC, where it takes a call for each of their transactions, if the operator asks for it.
 */
export async function openAppProgramOrders(
  opening: StartContext,
  lower: LowerRooms,
  parts: ProgramKeeperParts,
): Promise<AppProgramOrders> {
  const { config, logger, toClose } = opening;
  const { state, network, market } = lower;
  const orders = openProgramOrders({
    chain: market.chain,
    store: state.store,
    follows: followsOrderPrograms(opening, lower),
    isOwnNetwork: network.embedded !== null,
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
  const keeper = await openAppProgramKeeper(opening, lower, parts);
  return {
    lists: orders.lists,
    unhealthy: () => orders.unhealthy() ?? keeper.unhealthy(),
    drain: keeper.drain,
  };
}

const NO_KEEPER: OpenedProgramKeeper = {
  unhealthy: () => null,
  drain: async () => undefined,
  close: async () => undefined,
};

/** Opens the keeper of orders that live in programs, if somebody pays for fills and the programs are followed. */
export async function openAppProgramKeeper(
  opening: StartContext,
  lower: LowerRooms,
  { metrics, gasWallet }: ProgramKeeperParts,
): Promise<OpenedProgramKeeper> {
  if (gasWallet === null || !followsOrderPrograms(opening, lower)) return NO_KEEPER;
  const { config, logger, toClose } = opening;
  const { state, network, market, marketData } = lower;
  const { holdSlots, floorBps, maxFloorBps } = config.trigger;
  const keeper = await openProgramKeeper({
    market,
    marketData,
    holdSlots,
    venueLabels: market.venueLabels,
    limits: { floorBps, maxFloorBps },
    gasWallet,
    dcaKeeper: network.wallets?.dcaKeeper ?? null,
    // The instance that carries the network alone has the key that fills DCA orders, so it gives the lead to nobody.
    leases: network.embedded === null ? createKeeperLeases(state.valkey) : null,
    timers: SYSTEM_TIMERS,
    metrics,
    outage: createOutageLog(
      logger,
      'orders of programs are not filled now; they are filled again when what fails answers',
      'orders of programs are filled again',
    ),
    onDefect: (where, error) =>
      logger.error({ where, err: error }, 'the keeper of orders of programs failed'),
  });
  toClose(keeper.close);
  return keeper;
}

function followsOrderPrograms(
  { config }: Pick<StartContext, 'config'>,
  { network }: Pick<LowerRooms, 'network'>,
): boolean {
  return network.embedded !== null || config.trigger.followsOrderPrograms;
}
