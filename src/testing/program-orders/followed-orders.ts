import { createUnaccountedWork, type Work } from '../../common/work/work.ts';
import type { Chain } from '../../chain/chain.ts';
import { EventFollower, type FollowingBounds } from '../../chain/events/event-follower.ts';
import { FOLLOWED_DCA_ORDERS } from '../../program-orders/following/dca-steps.ts';
import { FOLLOWED_LIMIT_ORDERS } from '../../program-orders/following/limit-order-steps.ts';
import { createProgramOrderLists } from '../../program-orders/lists/program-order-lists.ts';
import type { ProgramOrderLists, ProgramOrderQuery } from '../../program-orders/program-order.ts';
import type { OrderStep } from '../../program-orders/store/order-changes.ts';
import { OrderRecorder } from '../../program-orders/store/order-recorder.ts';
import { OrderRecords } from '../../program-orders/store/order-records.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { ManualTimers } from '../timers.ts';
import type { OrderChain } from './order-chain.ts';

export interface FollowedOptions {
  readonly isOwnNetwork?: boolean;
  readonly bounds?: Partial<FollowingBounds>;
  /** Stands between the follower and the network. */
  readonly seen?: (chain: OrderChain) => ConstructorParameters<typeof EventFollower<OrderStep>>[0]['chain'];
  /** Stands between the follower and the database. */
  readonly store?: Store;
}

/** Both programs as one instance follows and lists them. */
export interface FollowedOrders {
  readonly limit: EventFollower<OrderStep>;
  readonly dca: EventFollower<OrderStep>;
  readonly lists: ProgramOrderLists;
  readonly timers: ManualTimers;
  /** What the operator was told. */
  readonly told: string[];
}

/** Opens an instance over a chain and a database. It follows nothing before it is told to. */
export function openFollowedOrders(
  chain: OrderChain,
  store: Store,
  { isOwnNetwork = true, bounds, seen = (each) => each, store: written = store }: FollowedOptions = {},
): FollowedOrders {
  const { genesisHash } = chain;
  const timers = new ManualTimers();
  const told: string[] = [];
  const tell = (where: string, error: unknown) => told.push(`${where}: ${error}`);
  const [limit, dca] = [FOLLOWED_LIMIT_ORDERS, FOLLOWED_DCA_ORDERS].map(
    (program) =>
      new EventFollower({
        chain: seen(chain),
        program,
        recorder: new OrderRecorder(written, genesisHash, program.name),
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
        records: new OrderRecords(store, genesisHash, 'limit-order'),
        upToNow: () => limit.upToNow(),
        timers,
      },
      dca: { records: new OrderRecords(store, genesisHash, 'dca'), upToNow: () => dca.upToNow(), timers },
    },
  });
  return { limit, dca, lists, timers, told };
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
