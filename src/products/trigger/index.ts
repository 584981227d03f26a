import { randomBytes } from 'node:crypto';
import type { KeyCustody } from '../../custody/custody.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { ProgramOrderLists } from '../../program-orders/program-order.ts';
import type { Store } from '../../store/index.ts';
import {
  openSignedTransactions,
  type SignedTransactionsOptions,
} from '../../transactions/signed/open-signed.ts';
import { createOrderPositions } from '../../waiting-orders/overview/order-positions.ts';
import { OrderHistory } from '../../waiting-orders/store/order-history.ts';
import type { EarnProgram } from '../../waiting-orders/earning/earn-program.ts';
import type { WaitingOrderStore } from '../../waiting-orders/store/order-store.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { craftDeposit } from './endpoints/deposit.ts';
import { cancelPriceOrder, confirmCancelPriceOrder } from './endpoints/price-orders/cancel-price-order.ts';
import { createPriceOrder } from './endpoints/price-orders/create-price-order.ts';
import { editPriceOrder } from './endpoints/price-orders/edit-price-order.ts';
import { getOrder, listOrders } from './endpoints/price-orders/price-history.ts';
import {
  cancelRecurringOrder,
  confirmCancelRecurringOrder,
} from './endpoints/recurring-orders/cancel-recurring-order.ts';
import { createRecurringOrder } from './endpoints/recurring-orders/create-recurring-order.ts';
import { getRecurringOrder, listRecurringOrders } from './endpoints/recurring-orders/recurring-history.ts';
import type { TriggerServices } from './endpoints/services.ts';
import { challenge, verify } from './endpoints/sign-in-endpoints.ts';
import { cancelLimitOrder, cancelLimitOrders } from './endpoints/v1/cancel-orders.ts';
import { createLimitOrder } from './endpoints/v1/create-order.ts';
import { executeLimitOrder } from './endpoints/v1/execute-order.ts';
import { listLimitOrders } from './endpoints/v1/list-orders.ts';
import { getVault, registerVault, registerVaultByGet } from './endpoints/vault.ts';
import { SignInChallenges } from './sign-in/challenges.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { WalletTokens } from './sign-in/tokens.ts';

export interface TriggerDependencies extends Pick<SignedTransactionsOptions, 'peers'> {
  readonly store: Store;
  readonly market: Pick<SignedTransactionsOptions, 'chain' | 'describeFailure'> & {
    readonly prices: Pick<Prices, 'worthInDollars'>;
  };
  /** The orders that live in programs on the chain. */
  readonly programOrders: { readonly lists: Pick<ProgramOrderLists, 'listLimitOrders'> };
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly walletTransactionsKey: Uint8Array;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
  /** What wallets sign in with. */
  readonly walletSignIn: {
    /** 32 bytes that all instances share, and nobody else knows. */
    readonly key: Uint8Array;
    /** The setting `trigger-challenge-text`. */
    readonly challengeText: string;
  };
  /** Keeps the vaults of wallets. */
  readonly custody: KeyCustody;
  /** Takes deposits, and gives them back. */
  readonly waitingOrders: Pick<TriggerServices, 'deposits' | 'edits' | 'withdrawals' | 'yields'> & {
    readonly orders: Pick<WaitingOrderStore, 'network' | 'rows'>;
    readonly earn: Pick<EarnProgram, 'find'>;
    /** Begins no further fill. Resolves when none is on its way. */
    readonly drain: () => Promise<void>;
  };
}

export const trigger = defineProduct({
  name: 'trigger',
  description:
    'Orders that wait for a price or are filled in rounds, for wallets that have signed in, and orders on the chain.',
  basePaths: ['/trigger'],
  errorSections: [
    { heading: 'Trigger', pathPart: '/trigger/v2/' },
    { heading: 'Limit orders on the chain', pathPart: '/trigger/v1/' },
  ],
  endpoints: [
    challenge,
    verify,
    getVault,
    registerVault,
    registerVaultByGet,
    craftDeposit,
    createPriceOrder,
    editPriceOrder,
    cancelPriceOrder,
    confirmCancelPriceOrder,
    createRecurringOrder,
    cancelRecurringOrder,
    confirmCancelRecurringOrder,
    listRecurringOrders,
    getRecurringOrder,
    listOrders,
    getOrder,
    createLimitOrder,
    cancelLimitOrder,
    cancelLimitOrders,
    executeLimitOrder,
    listLimitOrders,
  ],
  open: openTrigger,
});

function openTrigger({
  store,
  market: { chain, describeFailure, prices },
  walletSignIn,
  custody,
  waitingOrders,
  programOrders: { lists },
  walletTransactionsKey,
  peers,
  onDefect,
}: TriggerDependencies): OpenedProduct<TriggerServices> {
  const { deposits, edits, withdrawals, yields, earn, drain } = waitingOrders;
  const { network, rows } = waitingOrders.orders;
  const signIn = new SignIn({
    challenges: new SignInChallenges(store),
    tokens: new WalletTokens(walletSignIn.key, Date.now),
    challengeText: walletSignIn.challengeText,
  });
  const history = new OrderHistory(store, network, rows);
  const signed = openSignedTransactions({
    chain,
    describeFailure,
    sealKey: walletTransactionsKey,
    peers,
    onDefect: (error) => onDefect('transactions of limit orders', error),
  });
  const transactions = { ...signed, prices, newOrderNumber: () => randomBytes(8).readBigUInt64LE() };
  return {
    services: {
      signIn,
      vaults: custody,
      deposits,
      edits,
      withdrawals,
      yields,
      history,
      limitOrders: { lists, transactions },
    },
    positionFetchers: [createOrderPositions({ db: store.db, network, rows }, earn)],
    drain: async () => {
      await Promise.all([drain(), signed.runs.settled()]);
    },
  };
}
