import type { RunningProduct } from '../../products/product.ts';

/**
 * @param products whose endpoints may have other paths under which clients ask for the same
 * @returns a function that puts the path of the endpoint in place of an alias in the target of a request, before keys,
 *   rules and limits look at it
 * @throws Error when two endpoints have the same alias
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
    const present = pathOf.get(path);
    return present === undefined ? url : `${present}${url.slice(path.length)}`;
  };
}
