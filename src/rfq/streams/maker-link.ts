/** A swap that is offered to its maker: the transaction that the taker has signed. */
export interface OfferedSwap {
  readonly swapUuid: string;
  readonly makerId: string;
  /** The whole transaction, with the taker's signature at index 0 and zeros at index 1. */
  readonly transaction: Uint8Array;
}

/** A swap as its maker returned it, before any check. */
export interface SubmittedSwap {
  readonly makerId: string;
  readonly swapUuid: string;
  /** As received. It should be standard base64. */
  readonly signedTransaction: string;
}

/** The part of settlement that the swap streams use. */
export interface LastLook {
  /**
   * Called when a maker returned a swap.
   * Returns null if it is accepted; otherwise the text of the ERROR message to the maker, as when the swap is late,
   * unknown, submitted twice or another maker's.
   */
  submitted(swap: SubmittedSwap): string | null;
  /**
   * Called when a maker's swap stream is live.
   * Returns the swaps that wait for this maker's signature, which are pushed again.
   */
  pending(makerId: string): readonly OfferedSwap[];
  /** Whether this instance has offered the swap: then only this instance may push it. */
  knows(swapUuid: string): boolean;
}

/** A last look whose swap may be settled by another instance, so that a submission may need a request. */
export interface AsyncLastLook extends Pick<LastLook, 'pending'> {
  submitted(swap: SubmittedSwap): string | null | Promise<string | null>;
}

/** The part of the swap streams that settlement uses. */
export interface MakerLink {
  /**
   * Sends SWAP_AVAILABLE.
   * Returns false if the maker has no live swap stream.
   */
  offer(swap: OfferedSwap): boolean;
  /** Sends TRANSACTION_CONFIRMED, now or when the maker connects again. */
  confirmed(makerId: string, swapUuid: string, signature: string): void;
  /** Sends ERROR, now or when the maker connects again. */
  failed(makerId: string, swapUuid: string, message: string): void;
}
