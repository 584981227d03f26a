import type { HoldingsDependencies } from '../holdings/holdings.ts';

/** What the handlers of the product's endpoints are given. */
export interface UltraServices {
  readonly holdings: HoldingsDependencies;
}
