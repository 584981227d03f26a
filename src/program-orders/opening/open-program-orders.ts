import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Store } from '../../store/index.ts';
import { FOLLOWED_DCA_ORDERS } from '../following/dca-steps.ts';
import { EventFollower } from '../../chain/events/event-follower.ts';
import { FOLLOWED_LIMIT_ORDERS } from '../following/limit-order-steps.ts';
import { createProgramOrderLists } from '../lists/program-order-lists.ts';
import { ORDER_PROGRAMS, type OrderProgram, type ProgramOrderLists } from '../program-order.ts';
import { removeOldProgramOrders } from '../store/order-removal.ts';
import type { OrderStep } from '../store/order-changes.ts';
import { OrderRecorder } from '../store/order-recorder.ts';
import { createBeginningRecorder, recordHeldOrders } from './record-held-orders.ts';
import { ProgramOrderHistory } from '../store/program-order-history.ts';

export interface ProgramOrdersOptions {
  readonly chain: Chain;
  readonly store: Store;
  /** Whether the programs are followed. If not, only open orders are listed. */
  readonly follows: boolean;
  /** Whether the network is the instance's own, all of whose history is followed. */
  readonly isOwnNetwork: boolean;
  /** Days for which orders are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  readonly timers: Timers;
  /** Creates what is called when following a program has failed or succeeded in the background. */
  readonly createOutageLog: (program: OrderProgram) => OutageLog;
  /** Called when events are passed over, or old orders could not be removed. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The orders of programs, as far as an instance knows them. */
export interface ProgramOrders {
  readonly lists: ProgramOrderLists;
  /** Begins to follow the programs. */
  readonly start: () => void;
  /** Returns why the programs are not followed now, for the operator; null while they are. */
  readonly unhealthy: () => string | null;
  /** Stops, and waits for the recording in progress. */
  readonly close: () => Promise<void>;
}

const REMOVAL_EVERY_MS = 3_600_000;

/** How often orders are looked for that were written without their program. */
const RECONCILED_EVERY_MS = 5_000;

/**
 * Opens the record of orders that live in programs, and their lists. On the instance's own network, orders that nothing opened
 * are recorded as the network has them: those of its genesis, and those that a reset brought back. Over an outside RPC, those that
 * were open when the record began are.
 *
 * Orders that were opened in transactions that a follower has passed over are listed as long as they are open, without what
 * belongs to a record, and those that ended in them are not listed as ended.
 */
export function openProgramOrders(options: ProgramOrdersOptions): ProgramOrders {
  const { chain, follows } = options;
  if (!follows) {
    return {
      lists: createProgramOrderLists({ chain, recorded: null }),
      start: () => undefined,
      unhealthy: () => null,
      close: async () => undefined,
    };
  }
  const followers = {
    'limit-order': createFollower(options, FOLLOWED_LIMIT_ORDERS),
    dca: createFollower(options, FOLLOWED_DCA_ORDERS),
  };
  const recorded = {
    'limit-order': createRecorded(options, followers['limit-order'], 'limit-order'),
    dca: createRecorded(options, followers.dca, 'dca'),
  };
  const all = Object.values(followers);
  const removal = createRemoval(options);
  const reconciliation = createReconciliation(options, followers);
  return {
    lists: createProgramOrderLists({ chain, recorded }),
    start: () => {
      for (const follower of all) follower.start();
      reconciliation.start();
      removal.start();
    },
    unhealthy: () => all.map((follower) => follower.unhealthy()).find((reason) => reason !== null) ?? null,
    close: async () => {
      await Promise.all([removal.stop(), reconciliation.stop(), ...all.map((follower) => follower.close())]);
    },
  };
}

function createFollower(
  { chain, store, isOwnNetwork, timers, createOutageLog, onDefect }: ProgramOrdersOptions,
  program: typeof FOLLOWED_DCA_ORDERS,
): EventFollower<OrderStep> {
  const records = new OrderRecorder(store, chain.genesisHash, program.name);
  const recorder = isOwnNetwork
    ? records
    : createBeginningRecorder({ chain, name: program.name, recorder: records, onDefect });
  const outage = createOutageLog(program.name);
  return new EventFollower({ chain, program, recorder, isOwnNetwork, timers, outage, onDefect });
}

function createRecorded(
  { chain, store, timers }: ProgramOrdersOptions,
  follower: EventFollower<OrderStep>,
  program: OrderProgram,
) {
  return {
    history: new ProgramOrderHistory(store, chain.genesisHash, program),
    upToNow: () => follower.upToNow(),
    timers,
  };
}

/** Reconciles the record with the instance's own network: now, and every five seconds. */
function createReconciliation(
  { chain, store, isOwnNetwork, timers, onDefect }: ProgramOrdersOptions,
  followers: Readonly<Record<OrderProgram, EventFollower<OrderStep>>>,
) {
  let stop: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const reconcile = async () => {
    for (const name of ORDER_PROGRAMS) {
      const recorder = new OrderRecorder(store, chain.genesisHash, name);
      const upToNow = () => followers[name].upToNow();
      try {
        await recordHeldOrders({ chain, name, recorder, upToNow });
      } catch (error) {
        // The next run tries again, and the follower tells the operator that the network does not answer.
        if (!(error instanceof Unavailable)) onDefect(`the orders that the network has of ${name}`, error);
      }
    }
  };
  const run = () => {
    running = reconcile();
    return running;
  };
  return {
    start: () => {
      if (!isOwnNetwork) return;
      void run();
      stop = repeatWithPauses(RECONCILED_EVERY_MS, run, timers, () => undefined);
    },
    stop: async () => {
      stop();
      await running;
    },
  };
}

/** Removes old orders every hour. */
function createRemoval({ chain, store, historyDays, timers, onDefect }: ProgramOrdersOptions): RepeatedWork {
  return createRepeatedWork({
    everyMs: REMOVAL_EVERY_MS,
    work: async (isStopped) => {
      const { genesisHash: network } = chain;
      const { unixTimestamp: now } = chain.clock();
      await removeOldProgramOrders(store, { network, now, historyDays, isStopped });
    },
    timers,
    onError: (error) => onDefect('the removal of old orders of programs', error),
  });
}
