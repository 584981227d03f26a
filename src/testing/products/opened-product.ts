import type { RunningProduct } from '../../products/product.ts';

/** A product that keys can be confined to, for tests that register their own routes. */
export function createProductWithoutEndpoints(name: string, ...basePaths: readonly string[]): RunningProduct {
  return {
    name,
    description: 'A sample.',
    basePaths,
    endpoints: [],
    readiness: [],
    drain: async () => undefined,
    close: () => undefined,
    earnRateOf: () => null,
    positionFetchers: [],
  };
}
