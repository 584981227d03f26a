import type { RunningProduct } from '../../products/product.ts';

/**
 * Resolves the aliases of endpoints before any step runs, so that keys, rules and limits see one path for an endpoint.
 * @param products - The products whose endpoints may have aliases.
 * @returns a function that replaces an alias in a request's target by the path of its endpoint, and keeps the query
 * @throws Error if two endpoints have the same alias
 */
export function aliasResolver(
  products: readonly Pick<RunningProduct, 'endpoints'>[],
): (url: string) => string {
  const pathOf = new Map<string, string>();
  for (const { endpoint } of products.flatMap(({ endpoints }) => endpoints)) {
    for (const alias of endpoint.aliases) {
      if (pathOf.has(alias)) throw new Error(`two endpoints have the alias ${alias}`);
      pathOf.set(alias, endpoint.path);
    }
  }
  return (url) => {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const resolved = pathOf.get(path);
    return resolved === undefined ? url : `${resolved}${url.slice(path.length)}`;
  };
}
