import type { AccountUpdate } from '../../chain/accounts.ts';
import { type Chain, ChainUnavailable } from '../../chain/chain.ts';
import type { EventRecorder } from '../../chain/events/followed-program.ts';
import { createUnaccountedWork, mapInTurns } from '../../common/work/work.ts';
import { DCA_ORDER_SIZE } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import { LIMIT_ORDER_SIZE } from '../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../solana/address.ts';
import { readOpenDcaOrder, readOpenLimitOrder } from '../lists/open-orders.ts';
import type { OrderProgram } from '../program-order.ts';
import type { OrderStep } from '../store/order-changes.ts';
import type { OrderRecorder } from '../store/order-recorder.ts';
import type { ChainOrder } from '../store/order-reconciliation.ts';

interface OrderAccounts {
  readonly program: Address;
  readonly dataSize: number;
  readonly read: (address: Address, data: Uint8Array) => ChainOrder;
}

const ACCOUNTS: Readonly<Record<OrderProgram, OrderAccounts>> = {
  'limit-order': { program: LIMIT_ORDER_PROGRAM, dataSize: LIMIT_ORDER_SIZE, read: readOpenLimitOrder },
  dca: { program: DCA_PROGRAM, dataSize: DCA_ORDER_SIZE, read: readOpenDcaOrder },
};

export interface ReconciledProgram {
  readonly chain: Pick<Chain, 'openView'>;
  readonly name: OrderProgram;
  readonly recorder: Pick<OrderRecorder, 'reconcile'>;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
}

/**
 * Makes the open orders of the record equal to those of the chain, where accounts of the program were written without it. An
 * order of the genesis is recorded from then on like any other, so that its fills and its end are listed.
 *
 * The accounts are read first, as of one slot, and then all events up to that slot are recorded. If events of later slots are
 * recorded too, nothing is done, and the next call tries again.
 *
 * @throws ChainUnavailable when the network does not answer.
 * @throws EventsBehind when more transactions wait than one run reads.
 */
export async function recordHeldOrders({ chain, name, recorder, upToNow }: ReconciledProgram): Promise<void> {
  const { slot, held } = await fetchHeldOrders(chain, name);
  await upToNow();
  await recorder.reconcile(slot, held);
}

interface HeldOrders {
  /** As of which they are. */
  readonly slot: bigint;
  readonly held: readonly ChainOrder[];
}

async function fetchHeldOrders(chain: Pick<Chain, 'openView'>, name: OrderProgram): Promise<HeldOrders> {
  const { program, dataSize, read } = ACCOUNTS[name];
  const view = chain.openView('confirmed');
  const found = await view.getProgramAccounts(program, { dataSize });
  const { newest: slot } = view.slots();
  const readUpdate = ({ address, account }: AccountUpdate) =>
    account === null ? [] : [read(address, account.data)];
  return { slot, held: (await mapInTurns(createUnaccountedWork(), found, readUpdate)).flat() };
}

export interface BeginningRecorderOptions {
  readonly chain: Pick<Chain, 'openView'>;
  readonly name: OrderProgram;
  readonly recorder: OrderRecorder;
  /** Called when the record begins without the orders that are open already, because the network does not list them. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Creates a recorder for a network whose history is not followed from its beginning. The record begins with the orders that are
 * open then, as of one slot, and with the events of the next one.
 */
export function createBeginningRecorder({
  chain,
  name,
  recorder,
  onDefect,
}: BeginningRecorderOptions): EventRecorder<OrderStep> {
  return {
    findCursor: () => recorder.findCursor(),
    record: (from, to, steps) => recorder.record(from, to, steps),
    forget: (from) => recorder.forget(from),
    begin: async (newest) => {
      try {
        const { slot, held } = await fetchHeldOrders(chain, name);
        return await recorder.begin({ signature: null, slot: slot + 1n }, held);
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        onDefect(`the record of ${name}, which begins without the orders that were open before`, error);
        return recorder.begin(newest);
      }
    },
  };
}
