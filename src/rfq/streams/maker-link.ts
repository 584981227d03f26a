/** A swap that waits for its maker's signature: the transaction that the taker has signed. */
export interface OfferedSwap {
  readonly swapUuid: string;
  readonly makerId: string;
  /** The whole transaction with the taker's signature at index 0 and zeros at index 1. */
  readonly transaction: Uint8Array;
}

/** What a maker sends back, before anything of it is checked. */
export interface SubmittedSwap {
  readonly makerId: string;
  readonly swapUuid: string;
  /** As received; standard base64 when the maker behaves. */
  readonly signedTransaction: string;
}

/** Settlement, as the swap streams see it. */
export interface LastLook {
  /** A maker returned a swap. A sentence when it is late, twice, unknown or another maker's: the stream answers ERROR with it. */
  submitted(swap: SubmittedSwap): string | null;
  /** A maker's swap stream is live: the swaps that still wait for this maker, to be pushed again. */
  pending(makerId: string): readonly OfferedSwap[];
  /** Whether this instance waits, or has waited, for the maker's signature: then only this instance pushes the swap. */
  knows(swapUuid: string): boolean;
}

/** Settlement, when another instance may settle the swap: that takes a moment. */
export interface LastLookAnywhere extends Pick<LastLook, 'pending'> {
  submitted(swap: SubmittedSwap): string | null | Promise<string | null>;
}

/** The makers' swap streams, as settlement sees them. */
export interface MakerLink {
  /** Writes SWAP_AVAILABLE; false when the maker has no live swap stream. */
  offer(swap: OfferedSwap): boolean;
  /** Writes TRANSACTION_CONFIRMED, at the latest when the maker comes back. */
  confirmed(makerId: string, swapUuid: string, signature: string): void;
  /** Writes ERROR, at the latest when the maker comes back. */
  failed(makerId: string, swapUuid: string, message: string): void;
}
