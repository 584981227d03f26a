import { type Timers, waitWithin } from '../../common/ports/timers.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import type { Work } from '../../common/work/work.ts';
import type { Address } from '../../solana/address.ts';
import { waitUnlessBehind } from '../../chain/events/event-follower.ts';
import type {
  OrderProgram,
  ProgramOrderLists,
  ProgramOrderPage,
  ProgramOrderQuery,
  ShownDcaOrder,
  ShownLimitOrder,
  ShownProgramOrder,
} from '../program-order.ts';
import type { ProgramOrderHistory, OrderWithTrades } from '../store/program-order-history.ts';
import {
  fetchOpenDcaOrders,
  fetchOpenLimitOrders,
  type OpenDcaOrder,
  type OpenLimitOrder,
  selectOpenOrders,
} from './open-orders.ts';
import { type OrderSearchChain, createSharedSearches } from './shared-searches.ts';

/** The recorded orders of a program, and what brings the record up to date. */
export interface RecordedProgram {
  readonly history: Pick<ProgramOrderHistory, 'listEnded' | 'findOpen'>;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
  readonly timers: Pick<Timers, 'after'>;
}

/**
 * How long a list of open orders waits for their records. Anybody can name the programs in transactions, so that reading all of
 * them can take longer than a request may.
 */
const MAX_RECORDING_MS = 2_000;

export interface ProgramOrderListsOptions {
  readonly chain: OrderSearchChain;
  /** Null where nobody follows the programs: only open orders are listed then, without their trades. */
  readonly recorded: Readonly<Record<OrderProgram, RecordedProgram>> | null;
}

/** Creates the lists of orders that live in programs. */
export function createProgramOrderLists({ chain, recorded }: ProgramOrderListsOptions): ProgramOrderLists {
  const shared = createSharedSearches(chain);
  return {
    listLimitOrders: async (query, work) => {
      const program = recorded?.['limit-order'] ?? null;
      if (!query.isOpen) return listEnded(program, query, showLimitOrder);
      const fetchOpen = () => fetchOpenLimitOrders(shared, query.maker, work);
      return listOpen({ program, query, work }, fetchOpen, addLimitRecord);
    },
    listDcaOrders: async (query, work) => {
      const program = recorded?.dca ?? null;
      if (!query.isOpen) return listEnded(program, query, showDcaOrder);
      const fetchOpen = () => fetchOpenDcaOrders(shared, query.maker, work);
      return listOpen({ program, query, work }, fetchOpen, addDcaRecord);
    },
  };
}

async function listEnded<Shown extends ShownProgramOrder>(
  program: RecordedProgram | null,
  query: ProgramOrderQuery,
  show: (found: OrderWithTrades) => Shown,
): Promise<ProgramOrderPage<Shown>> {
  if (program === null) {
    throw new RequestRefused(
      'orders that have ended are kept only where `follow-order-programs` is on; here only open orders are listed',
    );
  }
  await program.upToNow();
  const { orders, total } = await program.history.listEnded(query);
  return { orders: orders.map(show), total };
}

interface ListedProgram {
  readonly program: RecordedProgram | null;
  readonly query: ProgramOrderQuery;
  readonly work: Work;
}

/** Open orders are those of the chain. Records only add what belongs to them, as far as it was recorded. */
async function listOpen<Open extends OpenLimitOrder | OpenDcaOrder, Shown extends ShownProgramOrder>(
  { program, query, work }: ListedProgram,
  fetchOpen: () => Promise<readonly Open[]>,
  addRecord: (order: Open, record: OrderWithTrades | null) => Shown,
): Promise<ProgramOrderPage<Shown>> {
  if (program !== null) {
    await waitWithin(waitUnlessBehind(program.upToNow()), MAX_RECORDING_MS, program.timers);
  }
  const { orders, total } = await selectOpenOrders(await fetchOpen(), query, work);
  const addresses = orders.map(({ address }) => address);
  const records = (await program?.history.findOpen(addresses)) ?? new Map<Address, OrderWithTrades>();
  return { orders: orders.map((order) => addRecord(order, records.get(order.address) ?? null)), total };
}

function addLimitRecord(order: OpenLimitOrder, record: OrderWithTrades | null): ShownLimitOrder {
  return {
    ...order,
    openSignature: record?.order.openSignature ?? null,
    trades: record?.shownTrades ?? [],
  };
}

function addDcaRecord(order: OpenDcaOrder, record: OrderWithTrades | null): ShownDcaOrder {
  return {
    ...order,
    updatedAt: record?.order.updatedAt ?? order.updatedAt,
    openSignature: record?.order.openSignature ?? null,
    trades: record?.shownTrades ?? [],
  };
}

function showLimitOrder({ order, number, shownTrades }: OrderWithTrades): ShownLimitOrder {
  if (order.program !== 'limit-order') throw new Error(`order ${number} is no limit order`);
  return { ...order, trades: shownTrades };
}

function showDcaOrder({ order, number, shownTrades }: OrderWithTrades): ShownDcaOrder {
  if (order.program !== 'dca') throw new Error(`order ${number} is no DCA order`);
  return { ...order, trades: shownTrades };
}
