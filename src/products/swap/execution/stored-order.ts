import type { FillTerms } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import type { PreparedStore, PreparedTransaction } from '../../../transactions/prepared/store.ts';
import { preparedRuns } from '../../../transactions/prepared/shared-store.ts';
import type { Router } from '../engines/engine.ts';
import type { Spending } from './open-fills.ts';

/** An order as it waits to be executed. Plain data, so that a store can keep it anywhere. */
export interface StoredOrder extends PreparedTransaction {
  readonly router: Router;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Null: the taker gets the output. */
  readonly receiver: Address | null;
  readonly tipLamports: bigint;
  /** What a swap with a maker takes from the taker; absent in what was written down before it was kept. */
  readonly spends?: Spending;
  /** The maker that has to sign after the taker has. */
  readonly coSigner?: FillTerms;
}

/** Keeps the orders of this product, and makes sure that each is executed once. */
export type OrderStore<Answer> = PreparedStore<StoredOrder, Answer>;

/** How the runs that keep orders for several instances must be set up. */
export const SHARED_ORDERS = preparedRuns(
  'order',
  'Orders cannot be kept or executed at the moment; try again in a second',
);
