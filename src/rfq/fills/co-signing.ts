import type { FillTerms } from '../liquidity/fill-terms.ts';

/**
 * Whether a fill under last look could still succeed. A maker is only counted for a fill that would have succeeded with
 * its signature, and its inventory is only reserved as long as that is so.
 */
export interface Prospects {
  /**
   * Watches from now on. `onHopeless` is called with the reason as soon as the fill can no longer succeed through no
   * fault of its maker, and never before `watch` has returned.
   */
  watch(onHopeless: (reason: string) => void): void;
  /** @returns why the fill cannot succeed now through no fault of its maker, as a sentence; null when it could */
  obstacle(): Promise<string | null>;
  /** Ends the watching. May be called more than once. */
  close(): void;
}

/** A swap that the taker has signed. */
export interface FillRequest {
  readonly requestId: string;
  readonly terms: FillTerms;
  /** The order as text, for whoever reads the record after a restart. */
  readonly order: string;
  /** The transaction, with zeros where the maker signs. */
  readonly wire: Uint8Array;
  /** The signature by which the chain will know the transaction. */
  readonly signature: string;
}

/** What came of a last look; `swapUuid` is null when nothing was offered. */
export type CoSigned =
  | { readonly swapUuid: string; readonly wire: Uint8Array; readonly refused?: never }
  | { readonly refused: Refusal; readonly reason: string; readonly swapUuid: string | null };

/**
 * `expired`: too late, on either side. `rejected`: not with this maker, or not this way. `failed`: not the maker's fault.
 * `known`: the request has a record already, which says how it goes on.
 */
export type Refusal = 'expired' | 'rejected' | 'failed' | 'known';
