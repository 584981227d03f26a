import type { SourceTree } from './source-tree.ts';

export interface ProductSize {
  readonly product: string;
  readonly files: readonly string[];
  readonly lines: number;
}

/** Measures each product: each folder of `src/products` with an `index.ts`. */
export function measureProducts(sources: SourceTree): readonly ProductSize[] {
  const products = new Map<string, string[]>();
  for (const path of sources.keys()) {
    const product = /^src\/products\/([^/]+)\//.exec(path)?.[1];
    if (product === undefined || !sources.has(`src/products/${product}/index.ts`)) continue;
    products.set(product, [...(products.get(product) ?? []), path]);
  }
  const sizes = [...products].map(([product, files]) => ({
    product,
    files,
    lines: files.reduce((sum, path) => sum + (sources.get(path) ?? '').split('\n').length - 1, 0),
  }));
  return sizes.sort((one, other) => (one.product < other.product ? -1 : 1));
}
