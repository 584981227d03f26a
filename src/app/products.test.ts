import { describe, expect, it } from 'vitest';
import { defineProduct } from '../products/product.ts';
import type { PositionFetcher } from '../protocol/positions/fetcher.ts';
import { createProductWithoutEndpoints } from '../testing/products/opened-product.ts';
import { openProducts, type ProductDependencies } from './products.ts';

describe('openProducts', () => {
  it('passes the positions that a product contributes to those that are opened after it', async () => {
    const seen: (readonly string[])[] = [];
    const contributing = createSample(seen, [createFetcher('of-product')]);
    const reading = createSample(seen);
    const dependencies = { positionFetchers: [createFetcher('of-protocol')] };
    await openProducts({ toClose: () => undefined }, dependencies as unknown as ProductDependencies, [
      contributing,
      reading,
    ]);
    expect(seen).toEqual([['of-protocol'], ['of-protocol', 'of-product']]);
  });
});

/** Creates a product that notes the ids of the fetchers that it is opened with. */
function createSample(seen: (readonly string[])[], positionFetchers: readonly PositionFetcher[] = []) {
  const { name, description, basePaths } = createProductWithoutEndpoints('sample');
  return defineProduct({
    name,
    description,
    basePaths,
    endpoints: [],
    open: (dependencies: Pick<ProductDependencies, 'positionFetchers'>) => {
      seen.push(dependencies.positionFetchers.map(({ id }) => id));
      return { services: null, positionFetchers };
    },
  });
}

function createFetcher(id: string): PositionFetcher {
  return { id, platformId: 'sample', fetch: async () => ({ elements: [] }) };
}
