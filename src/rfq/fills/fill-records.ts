import type { RecordedState } from './fill-state.ts';

/** A swap that a maker was asked to sign, as it survives a restart. */
export interface FillRecord {
  readonly swapUuid: string;
  readonly requestId: string;
  readonly makerId: string;
  readonly state: RecordedState;
  /** The order, as whoever took it writes it. */
  readonly order: string;
  /** The transaction as it was offered. */
  readonly offered: Uint8Array;
  /** With the maker's signature; null until that is there. */
  readonly signed: Uint8Array | null;
  /** What the taker was told at the end, as whoever told it writes it. */
  readonly answer: string | null;
  /** Unix milliseconds. */
  readonly offeredAt: number;
}

export interface FillEnd {
  readonly state: RecordedState;
  readonly answer: string;
  /** Only from this state. */
  readonly from?: RecordedState;
}

/** Keeps swaps with makers. Every write is there when its promise resolves. */
export interface FillRecords {
  /**
   * A new swap, `offered`; false when there is one for the request already. It survives the end of this process; a
   * power failure may take it until the next write.
   */
  begin(record: Omit<FillRecord, 'state' | 'signed' | 'answer'>): Promise<boolean>;
  /** From `offered` to `landing`; false when it is no longer offered. */
  sign(swapUuid: string, signed: Uint8Array): Promise<boolean>;
  /** To its end; false when it has one already, or is not in the state that the end is for. */
  end(swapUuid: string, end: FillEnd): Promise<boolean>;
  byRequest(requestId: string): Promise<FillRecord | null>;
  /** Those without an end. */
  unfinished(): Promise<readonly FillRecord[]>;
  /** Those that ended at that time or later, in Unix milliseconds. */
  endedSince(since: number): Promise<readonly FillRecord[]>;
}
