import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../refusal.ts';

/** What a key can be confined to, and the paths of each. */
const PRODUCTS = {
  swap: ['/swap', '/tx'],
  tokens: ['/tokens'],
  price: ['/price'],
  trigger: ['/trigger'],
  recurring: ['/recurring'],
  portfolio: ['/portfolio'],
  lend: ['/lend'],
  send: ['/send'],
  studio: ['/studio'],
  prediction: ['/prediction'],
} as const;

export type Product = keyof typeof PRODUCTS;
export const PRODUCT_NAMES = Object.keys(PRODUCTS) as Product[];

/** @throws Refused when one is unknown, one is named twice, or none is named */
export function productsOf(names: readonly string[]): readonly Product[] {
  const products = PRODUCT_NAMES.filter((product) => names.includes(product));
  if (products.length === names.length && products.length > 0) return products;
  throw new Refused(
    'invalid-value',
    `products must be one or more of ${PRODUCT_NAMES.join(', ')}, each once, got ${formatForError(names)}`,
  );
}

/** Whether `path` belongs to one of them: by whole segments, and case counts. */
export function coversPath(products: readonly Product[], path: string): boolean {
  return products.some((product) =>
    PRODUCTS[product].some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  );
}
