import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { StoredOrder } from '../../swaps/orders/stored-order.ts';

/** A swap that a maker was sent by webhook, as it is stored. */
export interface WebhookFillRecord {
  readonly requestId: string;
  readonly makerId: string;
  /** `offered`: the maker's answer is not known. */
  readonly state: WebhookFillState;
  readonly order: StoredOrder;
  /** The transaction with the taker's signature. */
  readonly offered: Uint8Array;
  /** The final answer to the taker; null while the chain may still decide. */
  readonly answer: ExecutionResult | null;
  /**
   * Why the swap does not count against the maker if it never lands, as a sentence; null if it counts. All instances
   * judge by this text, so sending the same swap to another instance changes nothing.
   */
  readonly excuse: string | null;
  /** Unix milliseconds. */
  readonly offeredAt: number;
}

export type WebhookFillState = 'offered' | 'accepted' | 'rejected' | 'unanswered' | 'ended';

/** Stores the swaps that makers were sent. Each is written before it is sent. */
export interface WebhookFillRecords {
  /** @returns false if there is a record of the request already */
  readonly begin: (record: Omit<WebhookFillRecord, 'state' | 'answer'>) => Promise<boolean>;
  /** Writes the maker's answer, and the excuse unless it is null. */
  readonly note: (
    requestId: string,
    state: 'accepted' | 'rejected' | 'unanswered',
    excuse: string | null,
  ) => Promise<void>;
  /** Writes the final answer. Returns false if one was written before. */
  readonly end: (requestId: string, answer: ExecutionResult) => Promise<boolean>;
  readonly byRequest: (requestId: string) => Promise<WebhookFillRecord | null>;
  readonly unfinished: () => Promise<readonly WebhookFillRecord[]>;
}
