import type { InstanceInfo } from '../../../api/instance.ts';

/** A view of what a product knows of a wallet or a token. */
export interface ProductView {
  readonly to:
    | '/products/portfolio'
    | '/products/lend'
    | '/products/prices'
    | '/products/orders'
    | '/products/launches'
    | '/products/invites'
    | '/products/predictions';
  readonly label: string;
  readonly description: string;
  /** The paths of the products that it shows. It exists where one of them is served. */
  readonly basePaths: readonly string[];
}

/** The views in the order of the navigation. */
export const PRODUCT_VIEWS = {
  portfolio: {
    to: '/products/portfolio',
    label: 'Portfolio',
    description: 'What a wallet holds and has in protocols, with its value and its shares.',
    basePaths: ['/portfolio'],
  },
  lend: {
    to: '/products/lend',
    label: 'Lend',
    description: 'Deposits, loans and their health, with what each vault pays and asks.',
    basePaths: ['/lend'],
  },
  prices: {
    to: '/products/prices',
    label: 'Prices',
    description: 'The prices of tokens as candles, and where each price comes from.',
    basePaths: ['/price'],
  },
  orders: {
    to: '/products/orders',
    label: 'Orders',
    description: 'Limit orders and recurring orders of a wallet, and what became of them.',
    basePaths: ['/trigger', '/recurring'],
  },
  launches: {
    to: '/products/launches',
    label: 'Launches',
    description: 'Tokens that were launched here, their curves, and the fees of their creators.',
    basePaths: ['/studio'],
  },
  invites: {
    to: '/products/invites',
    label: 'Invites',
    description: 'Tokens sent by a link, and whether they were claimed.',
    basePaths: ['/send'],
  },
  predictions: {
    to: '/products/predictions',
    label: 'Predictions',
    description: 'Events, their markets and order books, and the positions of a wallet.',
    basePaths: ['/prediction'],
  },
} as const satisfies Record<string, ProductView>;

/** The name of a view. */
export type ProductViewName = keyof typeof PRODUCT_VIEWS;

/** Whether one of the products that a view shows is served here. */
export function isServedView({ products }: InstanceInfo, view: ProductView): boolean {
  return products.some(({ basePath }) => view.basePaths.includes(basePath));
}

/** Returns the views of the products that are served here. */
export function listServedViews(instance: InstanceInfo): readonly ProductView[] {
  return Object.values(PRODUCT_VIEWS).filter((view) => isServedView(instance, view));
}
