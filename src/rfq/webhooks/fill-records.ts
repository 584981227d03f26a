/** A swap that a maker was sent by webhook, as it is stored. */
export interface WebhookFillRecord {
  readonly requestId: string;
  readonly makerId: string;
  /** `offered`: the maker's answer is not known. */
  readonly state: WebhookFillState;
  /** The order as text. */
  readonly order: string;
  /** The transaction with the taker's signature. */
  readonly offered: Uint8Array;
  /** What the taker was answered in the end, as text; null while the chain may still decide. */
  readonly answer: string | null;
  /**
   * Why the swap does not count against the maker if it never lands, as a sentence; null if it does. All instances judge
   * by this, so that asking another one for the same swap changes nothing.
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
  /** Writes what the maker answered, and what excuses it unless that is null. */
  readonly note: (
    requestId: string,
    state: 'accepted' | 'rejected' | 'unanswered',
    excuse: string | null,
  ) => Promise<void>;
  /** Writes the end. @returns false if it was written before */
  readonly end: (requestId: string, answer: string) => Promise<boolean>;
  readonly byRequest: (requestId: string) => Promise<WebhookFillRecord | null>;
  readonly unfinished: () => Promise<readonly WebhookFillRecord[]>;
}
