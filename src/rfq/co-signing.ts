import type { FillTerms } from './fill-terms.ts';

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
}

export type CoSigned =
  | { readonly swapUuid: string; readonly wire: Uint8Array; readonly refused?: never }
  | { readonly refused: Refusal; readonly reason: string; readonly swapUuid: string | null };

/**
 * `expired`: too late, on either side. `rejected`: not with this maker, or not this way. `failed`: not the maker's fault.
 * `known`: the request has a record already, which says how it goes on.
 */
export type Refusal = 'expired' | 'rejected' | 'failed' | 'known';
