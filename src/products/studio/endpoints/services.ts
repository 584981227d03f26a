import type { Address } from '../../../solana/address.ts';

/** What the handlers of the product's endpoints are given. */
export interface StudioServices {
  /** The wallet that gets the operator's share of launches; null if none is known, so that none are prepared. */
  readonly partner: Address | null;
}
