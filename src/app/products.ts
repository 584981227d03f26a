import type { ProductDescription, RegisteredProduct, RunningProduct } from '../products/product.ts';
import { swap, type SwapDependencies } from '../products/swap/index.ts';
import type { StartContext } from './opening.ts';

/** What products are opened with: each takes what it needs of it. */
export type ProductDependencies = SwapDependencies;

/** All products. Adding one is one more line here. */
export const PRODUCTS: readonly RegisteredProduct<ProductDependencies>[] = [swap];

/**
 * Products of the public interface that are not served yet. A key can be confined to them all the same, as clients that
 * manage keys expect: it covers no path until the product is registered, which takes its name out of this list.
 */
const NAMES_OF_OTHERS = [
  'tokens',
  'price',
  'trigger',
  'recurring',
  'portfolio',
  'lend',
  'send',
  'studio',
  'prediction',
] as const;

/** @returns the names that the allow-list of a key may hold, in the order in which they are shown */
export function productNames(products: readonly ProductDescription[] = PRODUCTS): readonly string[] {
  const names = products.map(({ name }) => name);
  return [...names, ...NAMES_OF_OTHERS.filter((name) => !names.includes(name))];
}

/** Opens all products, one after another. They are closed in the reverse order. */
export async function openProducts(
  { toClose }: Pick<StartContext, 'toClose'>,
  dependencies: ProductDependencies,
  products: readonly RegisteredProduct<ProductDependencies>[] = PRODUCTS,
): Promise<readonly RunningProduct[]> {
  const opened: RunningProduct[] = [];
  for (const product of products) {
    const running = await product.open(dependencies);
    toClose(running.close);
    opened.push(running);
  }
  return opened;
}
