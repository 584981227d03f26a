import type { ComposedSwap } from '../order/compose-swap.ts';

/** The services of the endpoints of swaps. */
export interface SwapServices {
  readonly swap: ComposedSwap;
  /** The labels by which requests name venues. */
  readonly labels: readonly string[];
}
