import type { CoSignedOrder } from '../../../swaps/orders/stored-order.ts';

/**
 * Watches whether a fill under last look can still succeed. A missing signature counts against the maker only if the fill
 * would have succeeded with it, and the maker's inventory is reserved only while that is so.
 */
export interface Prospects {
  /**
   * Starts watching. `onHopeless` is called with the reason as soon as the fill can no longer succeed through no fault of
   * its maker. It is never called before `watch` has returned.
   */
  watch(onHopeless: (reason: string) => void): void;
  /** Returns why the fill cannot succeed now through no fault of its maker, as a sentence; null if it can. */
  obstacle(): Promise<string | null>;
  /** Stops watching. May be called more than once. */
  close(): void;
}

/** Why a fill was not executed. */
export interface FillRefusal {
  readonly refused: CoSigningRefusalCode;
  readonly reason: string;
}

/** A check whether the maker may see a fill. It has begun. */
export interface FillCheck {
  /**
   * Resolves to why the fill must not be pushed to its maker; null if it may be. Rejects with `ChainUnavailable` if the
   * network does not say.
   */
  readonly refusal: Promise<FillRefusal | null>;
  /** They follow the accounts that the taker pays with from before the check reads them. */
  readonly prospects: Prospects;
}

/** A swap that the taker has signed. */
export interface FillRequest {
  readonly order: CoSignedOrder;
  /** The transaction, with zeros in place of the maker's signature. */
  readonly wire: Uint8Array;
  /** The taker's signature, which identifies the transaction on chain. */
  readonly signature: string;
}

/** The result of a last look. `swapUuid` is null if nothing was offered to the maker. */
export type CoSignResult =
  | { readonly swapUuid: string; readonly wire: Uint8Array; readonly refused?: never }
  | { readonly refused: CoSigningRefusalCode; readonly reason: string; readonly swapUuid: string | null };

/**
 * `expired`: too late, on the taker's or the maker's side. `rejected`: the fill is not possible with this maker or in this
 * form. `failed`: the maker is not to blame. `known`: the request already has a record, which says how it continues.
 */
export type CoSigningRefusalCode = 'expired' | 'rejected' | 'failed' | 'known';
