import type { FillTerms } from '../liquidity/fill-terms.ts';

/**
 * Whether a swap that waits for its maker could still succeed. A maker is only counted for what would have succeeded
 * with its signature, and its inventory is only reserved as long as that is so.
 */
export interface Prospects {
  /**
   * Calls back with the reason as soon as the swap can no longer succeed through no fault of its maker; never before it
   * returns. Returns the way to stop.
   */
  watch(onHopeless: (reason: string) => void): () => void;
  /** Why the swap cannot succeed now through no fault of its maker, as a sentence; null when its maker could make it. */
  obstacle(): Promise<string | null>;
}

/** A swap that the taker has signed. */
export interface FillRequest {
  readonly requestId: string;
  readonly terms: FillTerms;
  /** For whoever reads the record after a restart. */
  readonly order: string;
  /** With zeros where the maker signs. */
  readonly wire: Uint8Array;
  /** By which the chain will know it. */
  readonly signature: string;
  /** Absent: nobody knows, and the maker is counted whatever the taker has. */
  readonly prospects?: Prospects;
}

export type CoSigned =
  | { readonly swapUuid: string; readonly wire: Uint8Array; readonly refused?: never }
  | { readonly refused: Refusal; readonly reason: string; readonly swapUuid: string | null };

/**
 * `expired`: too late, on either side. `rejected`: not with this maker, or not this way. `failed`: not the maker's fault.
 * `known`: the request has a record already, which says how it goes on.
 */
export type Refusal = 'expired' | 'rejected' | 'failed' | 'known';
