import type { SwapParts } from '../order/swap-parts.ts';

/** What the endpoints of swaps work with. */
export interface SwapServices {
  readonly swap: SwapParts;
  /** Labels by which requests name venues. */
  readonly labels: readonly string[];
}
