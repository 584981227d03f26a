import type {
  EarnRateOf,
  ProductDescription,
  RegisteredProduct,
  RunningProduct,
} from '../products/product.ts';
import { landing } from '../products/landing/index.ts';
import { lend } from '../products/lend/index.ts';
import { prediction } from '../products/prediction/index.ts';
import { portfolio } from '../products/portfolio/index.ts';
import { marketMaking } from '../products/market-making/index.ts';
import { price } from '../products/price/index.ts';
import { recurring } from '../products/recurring/index.ts';
import { send } from '../products/send/index.ts';
import { studio } from '../products/studio/index.ts';
import { swap } from '../products/swap/index.ts';
import { trigger } from '../products/trigger/index.ts';
import { tokens } from '../products/tokens/index.ts';
import { ultra } from '../products/ultra/index.ts';
import type { StartContext } from './state/start-context.ts';

/** The path that is served at the root of the landing port. */
export { LANDING_PATH } from '../products/landing/index.ts';

/** All products. To add one, add a line here. */
const REGISTERED = [
  swap,
  lend,
  trigger,
  recurring,
  send,
  studio,
  prediction,
  portfolio,
  price,
  tokens,
  ultra,
  landing,
  marketMaking,
] as const;

/**
 * What products are opened with: everything that any product declares as its dependency. A dependency that two products
 * declare must satisfy both.
 */
export type ProductDependencies = AcceptedByAll<(typeof REGISTERED)[number]['open']>;

/** The type that every function of the union accepts, which is the intersection of their parameters. */
type AcceptedByAll<Open> = [Open] extends [(dependencies: infer Dependencies) => unknown]
  ? Dependencies
  : never;

/** What the products contribute to each other. The app need not provide it. */
type Contributions = 'earnRateOf';

export const PRODUCTS: readonly RegisteredProduct<ProductDependencies>[] = REGISTERED;

/** Returns the names that the allow-list of a key may hold, in the order in which they are shown. */
export function listProductNames(products: readonly ProductDescription[] = PRODUCTS): readonly string[] {
  return products.filter(({ isForMakers }) => isForMakers !== true).map(({ name }) => name);
}

/**
 * Opens all products, one after another. They are closed in the reverse order. A product that shows positions is registered
 * after those that contribute some.
 * Returns the open products, in the order of registration.
 */
export async function openProducts(
  { toClose }: Pick<StartContext, 'toClose'>,
  dependencies: Omit<ProductDependencies, Contributions>,
  products: readonly RegisteredProduct<ProductDependencies>[] = PRODUCTS,
): Promise<readonly RunningProduct[]> {
  const opened: RunningProduct[] = [];
  const findEarnRate: EarnRateOf = (mint) => {
    for (const running of opened) {
      const rate = running.earnRateOf(mint);
      if (rate !== null) return rate;
    }
    return null;
  };
  for (const product of products) {
    const running = await product.open({
      ...dependencies,
      earnRateOf: findEarnRate,
      positionFetchers: [
        ...dependencies.positionFetchers,
        ...opened.flatMap(({ positionFetchers }) => positionFetchers),
      ],
    });
    toClose(running.close);
    opened.push(running);
  }
  return opened;
}
