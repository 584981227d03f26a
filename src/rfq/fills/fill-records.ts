import type { ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { CoSignedOrder, StoredOrder, WebhookOrder } from '../../swaps/orders/stored-order.ts';
import type { RecordedState, RecordedWebhookState } from './fill-state.ts';

/** What is stored of every fill, and survives a restart. */
export interface RecordedFill<Order extends StoredOrder = StoredOrder> {
  readonly requestId: string;
  readonly makerId: string;
  readonly order: Order;
  /** The transaction as it was offered to the maker. */
  readonly offered: Uint8Array;
  /** The final answer to the taker; null before the end. */
  readonly answer: ExecutionResult | null;
  /** Unix milliseconds of the offer. */
  readonly offeredAt: number;
}

/** A fill that its maker signs over a stream. */
export interface FillRecord extends RecordedFill<CoSignedOrder> {
  readonly swapUuid: string;
  readonly state: RecordedState;
  /** The transaction with the maker's signature; null before the maker has signed. */
  readonly signed: Uint8Array | null;
}

/** A fill that its maker was sent by webhook, and lands itself. Its request id identifies it. */
export interface WebhookFillRecord extends RecordedFill<WebhookOrder> {
  readonly state: RecordedWebhookState;
  /**
   * Why the swap does not count against the maker if it never lands, as a sentence; null if it counts. All instances
   * judge by this text, so sending the same swap to another instance changes nothing.
   */
  readonly excuse: string | null;
}

/** The end of a fill. */
export interface FillEnd {
  readonly state: RecordedState;
  readonly answer: ExecutionResult;
  /** The state that the record must be in; any state without an end if absent. */
  readonly from?: RecordedState;
}

/** Stores fills of one kind. A write is durable when its promise resolves. */
interface RecordedFills<Fill extends RecordedFill, Begun extends keyof Fill, End> {
  /**
   * Stores a new fill in the state `offered`, before its maker is sent it.
   * Returns false if the request already has a fill.
   */
  begin(fill: Pick<Fill, Begun>): Promise<boolean>;
  /**
   * Moves a fill to its end.
   * Returns false if it has ended already, or is not in the state that the end names.
   */
  end(id: string, end: End): Promise<boolean>;
  /** Returns the fill of a request; null if there is none. */
  byRequest(requestId: string): Promise<Fill | null>;
  /** Returns the fills without an end. */
  unfinished(): Promise<readonly Fill[]>;
}

type BegunFill = 'swapUuid' | 'requestId' | 'makerId' | 'order' | 'offered' | 'offeredAt';

/**
 * Stores the fills over streams. `begin` and `discard` survive the end of this process. A power failure can undo them
 * until the next write.
 */
export interface FillRecords extends RecordedFills<FillRecord, BegunFill, FillEnd> {
  /**
   * Removes a fill in the state `offered` that was not pushed to its maker.
   * Returns false if it is not in the state `offered`.
   */
  discard(swapUuid: string): Promise<boolean>;
  /**
   * Moves a fill from `offered` to `landing`.
   * Returns false if it is not in the state `offered`.
   */
  sign(swapUuid: string, signed: Uint8Array): Promise<boolean>;
  /** @param makerId - Absent for the fills of all makers. */
  unfinished(makerId?: string): Promise<readonly FillRecord[]>;
  /**
   * @param since - Unix milliseconds.
   * @returns the fills that ended at `since` or later
   */
  endedSince(since: number): Promise<readonly FillRecord[]>;
}

type BegunWebhookFill = 'requestId' | 'makerId' | 'order' | 'offered' | 'offeredAt' | 'excuse';

/** Stores the fills by webhook. */
export interface WebhookFillRecords
  extends RecordedFills<WebhookFillRecord, BegunWebhookFill, Pick<FillEnd, 'answer'>> {
  /** Writes the maker's answer, and the excuse unless it is null. */
  note(
    requestId: string,
    state: Exclude<RecordedWebhookState, 'offered' | 'ended'>,
    excuse: string | null,
  ): Promise<void>;
}
