import { createUnaccountedWork, type Work } from '../../common/work/work.ts';
import type { Chain } from '../../chain/chain.ts';
import { EventFollower, type FollowingBounds } from '../../chain/events/event-follower.ts';
import { FOLLOWED_DCA_ORDERS } from '../../program-orders/following/dca-steps.ts';
import { FOLLOWED_LIMIT_ORDERS } from '../../program-orders/following/limit-order-steps.ts';
import { createProgramOrderLists } from '../../program-orders/lists/program-order-lists.ts';
import {
  createBeginningRecorder,
  recordHeldOrders,
} from '../../program-orders/opening/record-held-orders.ts';
import type {
  OrderProgram,
  ProgramOrderLists,
  ProgramOrderQuery,
} from '../../program-orders/program-order.ts';
import type { OrderStep } from '../../program-orders/store/order-changes.ts';
import { OrderRecorder } from '../../program-orders/store/order-recorder.ts';
import { ProgramOrderHistory } from '../../program-orders/store/program-order-history.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { ManualTimers } from '../timers.ts';
import type { HistoryChain } from '../svm/history-chain.ts';

type SeenChain = ConstructorParameters<typeof EventFollower<OrderStep>>[0]['chain'] & Pick<Chain, 'openView'>;

export interface FollowedOptions {
  readonly isOwnNetwork?: boolean;
  readonly bounds?: Partial<FollowingBounds>;
  /** Stands between the follower and the network. */
  readonly seen?: (chain: HistoryChain) => SeenChain;
  /** Stands between the follower and the database. */
  readonly store?: Store;
}

/** Both programs as one instance follows and lists them. */
export interface FollowedOrders {
  readonly limit: EventFollower<OrderStep>;
  readonly dca: EventFollower<OrderStep>;
  /** Makes the record of both programs equal to the chain. */
  readonly reconcile: () => Promise<void>;
  readonly lists: ProgramOrderLists;
  readonly timers: ManualTimers;
  /** What the operator was told. */
  readonly told: string[];
}

/** Opens an instance over a chain and a database. It follows nothing before it is told to. */
export function openFollowedOrders(
  chain: HistoryChain,
  store: Store,
  { isOwnNetwork = true, bounds, seen = (each) => each, store: written = store }: FollowedOptions = {},
): FollowedOrders {
  const { genesisHash } = chain;
  const timers = new ManualTimers();
  const told: string[] = [];
  const tell = (where: string, error: unknown) => told.push(`${where}: ${error}`);
  const recorders = {
    'limit-order': new OrderRecorder(written, genesisHash, 'limit-order'),
    dca: new OrderRecorder(written, genesisHash, 'dca'),
  };
  const createRecorder = (name: OrderProgram) =>
    isOwnNetwork
      ? recorders[name]
      : createBeginningRecorder({ chain: seen(chain), name, recorder: recorders[name], onDefect: tell });
  const [limit, dca] = [FOLLOWED_LIMIT_ORDERS, FOLLOWED_DCA_ORDERS].map(
    (program) =>
      new EventFollower({
        chain: seen(chain),
        program,
        recorder: createRecorder(program.name),
        isOwnNetwork,
        timers,
        outage: { onFailure: (error) => tell('outage', error), onAnswer: () => undefined },
        onDefect: tell,
        bounds,
      }),
  ) as [EventFollower<OrderStep>, EventFollower<OrderStep>];
  const lists = createProgramOrderLists({
    chain: chain satisfies Pick<Chain, 'getProgramAccounts'>,
    recorded: {
      'limit-order': {
        history: new ProgramOrderHistory(store, genesisHash, 'limit-order'),
        upToNow: () => limit.upToNow(),
        timers,
      },
      dca: {
        history: new ProgramOrderHistory(store, genesisHash, 'dca'),
        upToNow: () => dca.upToNow(),
        timers,
      },
    },
  });
  const reconcile = async () => {
    for (const [name, { upToNow }] of [
      ['limit-order', { upToNow: () => limit.upToNow() }],
      ['dca', { upToNow: () => dca.upToNow() }],
    ] as const) {
      await recordHeldOrders({ chain: seen(chain), name, recorder: recorders[name], upToNow });
    }
  };
  return { limit, dca, reconcile, lists, timers, told };
}

/** Asks for the first page of a maker's orders, as the arguments of a list. */
export function askOrders(
  maker: Address,
  isOpen: boolean,
  more: Partial<ProgramOrderQuery> = {},
): readonly [ProgramOrderQuery, Work] {
  const all = { inputMint: null, outputMint: null, anyMint: null, page: 1, perPage: 10 };
  return [{ maker, isOpen, ...all, ...more }, createUnaccountedWork()];
}
