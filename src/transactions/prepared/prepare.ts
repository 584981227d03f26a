import type { Address } from '../../solana/address.ts';
import type { BuiltTransaction } from '../build/build-transaction.ts';
import { totalCosts } from '../build/costs.ts';
import type { PreparedTransaction, Sponsorship } from './store.ts';

/** Whom a transaction is handed out to. */
export interface Preparation {
  /** The id by which the client names the transaction. */
  readonly requestId: string;
  /** The wallet whose signature the transaction waits for. */
  readonly taker: Address;
  /** The sponsor's promise to pay; null without a sponsor. */
  readonly sponsorship: Sponsorship | null;
}

/**
 * Creates what is stored of a transaction while it waits for its signatures. A fee payer that is neither the taker
 * nor the sponsor never pays more than the present costs of the transaction.
 * @returns plain data; a product adds what it needs to execute the transaction
 */
export function prepareTransaction(
  { messageBytes, lastValidBlockHeight, costs }: BuiltTransaction,
  { requestId, taker, sponsorship }: Preparation,
): PreparedTransaction {
  const prepared = { requestId, messageBytes, lastValidBlockHeight, taker, payer: costs.payer };
  if (sponsorship !== null) return { ...prepared, sponsorship };
  return costs.payer === taker ? prepared : { ...prepared, payerLamports: totalCosts(costs) };
}
