import { randomBytes } from 'node:crypto';
import type { Prices } from '../../market/prices/prices.ts';
import type { ProgramOrderLists } from '../../program-orders/program-order.ts';
import {
  openSignedTransactions,
  type SignedTransactionsOptions,
} from '../../transactions/signed/open-signed.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { cancelOrder } from './endpoints/cancel-order.ts';
import { createOrder } from './endpoints/create-order.ts';
import { executeOrder } from './endpoints/execute-order.ts';
import { getOrders } from './endpoints/get-orders.ts';
import { priceDeposit, priceWithdraw } from './endpoints/price-orders.ts';
import type { RecurringServices } from './endpoints/services.ts';

export interface RecurringDependencies extends Pick<SignedTransactionsOptions, 'peers'> {
  readonly market: Pick<SignedTransactionsOptions, 'chain' | 'describeFailure'> & {
    readonly prices: Pick<Prices, 'worthInDollars'>;
  };
  readonly programOrders: {
    readonly lists: Pick<ProgramOrderLists, 'listDcaOrders'>;
    /** Begins no further fill. Resolves when none is on its way. */
    readonly drain: () => Promise<void>;
  };
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly walletTransactionsKey: Uint8Array;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Orders that live in a program on the chain, and trade an equal part of their input at regular times. */
export const recurring = defineProduct({
  name: 'recurring',
  description: 'Orders on the chain that trade at regular times.',
  basePaths: ['/recurring'],
  errorSections: [{ heading: 'Recurring orders' }],
  endpoints: [createOrder, cancelOrder, executeOrder, getOrders, priceDeposit, priceWithdraw],
  open: openRecurring,
});

function openRecurring({
  market: { chain, prices, describeFailure },
  programOrders: { lists, drain },
  walletTransactionsKey,
  peers,
  onDefect,
}: RecurringDependencies): OpenedProduct<RecurringServices> {
  const signed = openSignedTransactions({
    chain,
    describeFailure,
    sealKey: walletTransactionsKey,
    peers,
    onDefect: (error) => onDefect('transactions of recurring orders', error),
  });
  const transactions = { ...signed, prices, newOrderNumber: () => randomBytes(8).readBigUInt64LE() };
  return {
    services: { lists, chain, transactions },
    drain: async () => {
      await Promise.all([drain(), signed.runs.settled()]);
    },
  };
}
