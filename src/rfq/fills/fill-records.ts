import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { StoredOrder } from '../../swaps/orders/stored-order.ts';
import type { RecordedState } from './fill-state.ts';

/** The stored form of a fill, which survives a restart. */
export interface FillRecord {
  readonly swapUuid: string;
  readonly requestId: string;
  readonly makerId: string;
  readonly state: RecordedState;
  readonly order: StoredOrder;
  /** The transaction as it was offered to the maker. */
  readonly offered: Uint8Array;
  /** The transaction with the maker's signature; null before the maker has signed. */
  readonly signed: Uint8Array | null;
  /** The final answer to the taker; null before the end. */
  readonly answer: ExecutionResult | null;
  /** Unix milliseconds of the offer. */
  readonly offeredAt: number;
}

/** The end of a fill. */
export interface FillEnd {
  readonly state: RecordedState;
  readonly answer: ExecutionResult;
  /** The state that the record must be in; any state without an end if absent. */
  readonly from?: RecordedState;
}

/** Stores fills. A write is durable when its promise resolves. */
export interface FillRecords {
  /**
   * Stores a new fill in the state `offered`. It survives the end of this process. A power failure can lose it until the
   * next write.
   * @returns false if the request already has a fill
   */
  begin(record: Omit<FillRecord, 'state' | 'signed' | 'answer'>): Promise<boolean>;
  /**
   * Removes a fill in the state `offered` that was not pushed to its maker. Like `begin`, this survives the end of this
   * process; after a power failure the fill may be there again.
   * @returns false if it is not in the state `offered`
   */
  discard(swapUuid: string): Promise<boolean>;
  /**
   * Moves a fill from `offered` to `landing`.
   * @returns false if it is not in the state `offered`
   */
  sign(swapUuid: string, signed: Uint8Array): Promise<boolean>;
  /**
   * Moves a fill to its end.
   * @returns false if it has ended already, or is not in the state `end.from`
   */
  end(swapUuid: string, end: FillEnd): Promise<boolean>;
  /** @returns the fill of a request; null if there is none */
  byRequest(requestId: string): Promise<FillRecord | null>;
  /**
   * @param makerId - Null or absent for all makers.
   * @returns the fills without an end
   */
  unfinished(makerId?: string): Promise<readonly FillRecord[]>;
  /**
   * @param since - Unix milliseconds.
   * @returns the fills that ended at `since` or later
   */
  endedSince(since: number): Promise<readonly FillRecord[]>;
}
