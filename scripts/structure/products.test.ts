import { expect, it } from 'vitest';
import { measureProducts } from './products.ts';

it('measureProducts counts the files of folders with an index, and not those that products share', () => {
  const sources = new Map([
    ['src/products/swap/index.ts', 'one\ntwo\n'],
    ['src/products/swap/order/order.ts', 'one\n'],
    ['src/products/parameters/kinds.ts', 'one\n'],
    ['src/products/product.ts', 'one\n'],
  ]);
  expect(measureProducts(sources)).toEqual([
    { product: 'swap', files: ['src/products/swap/index.ts', 'src/products/swap/order/order.ts'], lines: 3 },
  ]);
});
