import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';

/**
 * Checks the products that a key is to be confined to.
 * @param registered - Names that a key may be confined to.
 * @returns the names in the order of `registered`
 * @throws Refused when one is unknown, one is named twice, or none is named
 */
export function checkProducts(names: readonly string[], registered: readonly string[]): readonly string[] {
  const products = registered.filter((product) => names.includes(product));
  if (products.length === names.length && products.length > 0) return products;
  throw new Refused(
    'invalid-value',
    `products must be one or more of ${registered.join(', ')}, each once, got ${formatForError(names)}`,
  );
}

/** Reads the column of a stored key. A name that is not registered is kept, but opens no path. */
export function parseStoredProducts(column: string | null): readonly string[] | null {
  return column === null ? null : column.split(',');
}
