import { parsePlain, serializePlain } from '../../common/plain-data.ts';
import type { FillTerms } from '../fill-terms.ts';
import type { Address } from '../../solana/address.ts';
import type { PreparedStore, PreparedTransaction } from '../../transactions/prepared/store.ts';
import { getPreparedStoreOptions } from '../../transactions/prepared/shared-prepared-store.ts';
import type { Router, WebhookFill } from '../engines/engine.ts';

/** What a swap takes from its taker. Plain data. */
export interface FillSpending {
  /** The token account that pays; the wallet itself where SOL is paid. */
  readonly account: Address;
  /** Whether it is SOL. */
  readonly isNative: boolean;
  /** Atoms of the input. */
  readonly amount: bigint;
}

/** An order that waits to be executed. It is plain data, so that any store can keep it. */
export interface StoredOrder extends PreparedTransaction {
  readonly router: Router;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Null when the taker gets the output. */
  readonly receiver: Address | null;
  readonly tipLamports: bigint;
  /** What a swap with a maker takes from the taker. Absent in orders that older versions stored. */
  readonly spends?: FillSpending;
  /** The swap with a maker that lands it itself. */
  readonly webhookFill?: WebhookFill;
  /** The fill, if a maker has to sign after the taker. */
  readonly coSigner?: FillTerms;
}

/** An order that a maker has to sign after the taker. */
export type CoSignedOrder = StoredOrder & { readonly coSigner: FillTerms };

/** An order whose maker signs and lands it itself. */
export type WebhookOrder = StoredOrder & { readonly webhookFill: WebhookFill };

/** Returns the id of the maker that takes part in an order; null without one. */
export function getMakerId({
  coSigner,
  webhookFill,
}: Pick<StoredOrder, 'coSigner' | 'webhookFill'>): string | null {
  return coSigner?.makerId ?? webhookFill?.makerId ?? null;
}

/** Who pays the network for an order: `payer` is a wallet of the integrator, named in the request. */
export type PayingParty = 'taker' | 'sponsor' | 'maker' | 'payer';

/** Returns who pays the network for an order. A maker that lands the swap itself is its fee payer. */
export function getPayingParty({
  payer,
  taker,
  sponsorship,
  webhookFill,
}: Pick<StoredOrder, 'payer' | 'taker' | 'sponsorship' | 'webhookFill'>): PayingParty {
  if (sponsorship !== undefined) return 'sponsor';
  if (payer === taker) return 'taker';
  return webhookFill === undefined ? 'payer' : 'maker';
}

/** Keeps the orders of this product, and ensures that each is executed once. */
export type OrderStore<Answer> = PreparedStore<StoredOrder, Answer>;

/** Settings of the execution store that keeps orders for several instances. */
export const SHARED_ORDERS = getPreparedStoreOptions(
  'order',
  'Orders cannot be kept or executed at the moment; try again in a second',
);

/** Encodes an order as a text that `decodeOrder` decodes. */
export function encodeOrder(order: StoredOrder): string {
  return serializePlain(order);
}

/**
 * @param text - Written by `encodeOrder`, in this process or another.
 * @throws SyntaxError when it is not JSON
 */
export function decodeOrder(text: string): StoredOrder {
  return parsePlain(text) as StoredOrder;
}
