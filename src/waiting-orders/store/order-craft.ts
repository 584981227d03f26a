import type { Address } from '../../solana/address.ts';

/** Deposits of a wallet, or withdrawals of an order, that are kept at once. A further one replaces the oldest. */
export const MAX_CRAFTS = 20;

/** A transaction that was handed out, and waits for the wallet's signature. */
export interface OrderCraft {
  /** A UUID. */
  readonly requestId: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly wallet: Address;
  /** The order that a withdrawal belongs to; null for a deposit. */
  readonly orderId: string | null;
  /** The only message that may be signed under this id. */
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** What the transaction does, as JSON of the one that crafted it. */
  readonly terms: string;
  readonly createdAt: number;
  /** Unix milliseconds from which on it is forgotten. */
  readonly deleteAt: number;
}
