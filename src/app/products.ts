import type { RegisteredProduct, RunningProduct } from '../products/product.ts';
import { swap, type SwapDependencies } from '../products/swap/index.ts';
import type { StartContext } from './opening.ts';

/** What products are opened with: each takes what it needs of it. */
export type ProductDependencies = SwapDependencies;

/** All products. Adding one is one more line here. */
export const PRODUCTS: readonly RegisteredProduct<ProductDependencies>[] = [swap];

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
