import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Chain } from '../../chain/chain.ts';
import type { ExecutionStore, ExecutionStoreOptions } from '../../common/ports/execution-store.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { ProgramOrderLists } from '../../program-orders/program-order.ts';
import { SERIALS } from '../../transactions/build/transaction-message.ts';
import { openSignedRuns } from '../../transactions/signed/signed-runs.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { cancelOrder } from './endpoints/cancel-order.ts';
import { createOrder } from './endpoints/create-order.ts';
import { executeOrder } from './endpoints/execute-order.ts';
import { getOrders } from './endpoints/get-orders.ts';
import { priceDeposit, priceWithdraw } from './endpoints/price-orders.ts';
import type { RecurringServices } from './endpoints/services.ts';

export interface RecurringDependencies {
  readonly market: {
    readonly chain: Chain;
    readonly prices: Pick<Prices, 'worthInDollars'>;
    readonly describeFailure: DescribeFailure;
  };
  readonly programOrders: { readonly lists: Pick<ProgramOrderLists, 'listDcaOrders'> };
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly walletTransactionsKey: Uint8Array;
  /** Null without other instances. */
  readonly peers: {
    readonly openExecutionStore: (options: ExecutionStoreOptions) => ExecutionStore;
  } | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Orders that live in a program on the chain, and trade an equal part of their input at regular times. */
export const recurring = defineProduct({
  name: 'recurring',
  description: 'Orders on the chain that trade at regular times.',
  basePaths: ['/recurring'],
  endpoints: [createOrder, cancelOrder, executeOrder, getOrders, priceDeposit, priceWithdraw],
  open: openRecurring,
});

function openRecurring({
  market: { chain, prices, describeFailure },
  programOrders: { lists },
  walletTransactionsKey,
  peers,
  onDefect,
}: RecurringDependencies): OpenedProduct<RecurringServices> {
  // Instances begin to count transactions at different numbers, so that they make none that are alike.
  let serial = randomInt(SERIALS);
  const runs = openSignedRuns({
    openExecutionStore: peers?.openExecutionStore ?? null,
    chain,
    timers: SYSTEM_TIMERS,
    newHolder: randomUUID,
    onDefect: (error) => onDefect('transactions of recurring orders', error),
  });
  return {
    services: {
      lists,
      chain,
      transactions: {
        chain,
        prices,
        describeFailure,
        sealKey: walletTransactionsKey,
        nextSerial: () => serial++,
        newOrderNumber: () => randomBytes(8).readBigUInt64LE(),
        timers: SYSTEM_TIMERS,
        runs,
      },
    },
    drain: () => runs.settled(),
  };
}
