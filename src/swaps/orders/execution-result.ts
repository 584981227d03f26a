import type { SwappedAmounts } from './swapped-amounts.ts';

/** Codes of failures that are not those of a program. Clients see them, and metrics are labelled with them. */
export const Code = {
  SUCCESS: 0,
  MISSING_ORDER: -1,
  INVALID_SIGNED_TRANSACTION: -2,
  INVALID_MESSAGE: -3,
  MISSING_REQUEST_ID: -4,
  MISSING_SIGNED_TRANSACTION: -5,
  FAILED_TO_LAND: -1_000,
  UNKNOWN: -1_001,
  INVALID_TRANSACTION: -1_002,
  NOT_FULLY_SIGNED: -1_003,
  INVALID_BLOCK_HEIGHT: -1_004,
  MAKER_FAILED_TO_LAND: -2_000,
  MAKER_UNKNOWN: -2_001,
  MAKER_INVALID_TRANSACTION: -2_002,
  QUOTE_EXPIRED: -2_003,
  SWAP_REJECTED: -2_004,
} as const;

/** The transaction of an order is confirmed, and the swap was made. */
export interface SwapSucceeded {
  readonly kind: 'succeeded';
  readonly signature: string;
  readonly slot: bigint;
  /** Null if the transaction could not be read, or if its order is no longer stored. */
  readonly amounts: SwappedAmounts | null;
}

/** The swap was not made, or its outcome is unknown: see `code`. */
export interface SwapFailed {
  readonly kind: 'failed';
  /** One of `Code`, or the positive code of the program that failed. */
  readonly code: number;
  /** A sentence for the client. */
  readonly reason: string;
  /** Null while the fee payer has not signed. */
  readonly signature: string | null;
  /** The slot in which the transaction failed; null if it is not on the chain. */
  readonly slot: bigint | null;
}

/** How the execution of an order ended. */
export type ExecutionResult = SwapSucceeded | SwapFailed;

/** The request was refused before anything was executed, and the order can still be executed. */
export interface ExecutionRefused {
  readonly kind: 'refused';
  /** One of `Code`. */
  readonly code: number;
  /** A sentence for the client. */
  readonly reason: string;
}

/**
 * A failure of a transaction that is not on the chain.
 * @param code - One of `Code`.
 * @param reason - A sentence for the client.
 * @param signature - Null while the fee payer has not signed.
 */
export function createSwapFailure(code: number, reason: string, signature: string | null = null): SwapFailed {
  return { kind: 'failed', code, reason, signature, slot: null };
}

/**
 * A refusal of a request to execute an order.
 * @param code - One of `Code`.
 * @param reason - A sentence for the client.
 */
export function createExecutionRefusal(code: number, reason: string): ExecutionRefused {
  return { kind: 'refused', code, reason };
}
