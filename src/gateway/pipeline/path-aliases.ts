/** Paths under which clients that were written earlier ask for what has another path now; requests and answers are alike. */
const PRESENT_PATHS: ReadonlyMap<string, string> = new Map([
  ['/ultra/v1/order', '/swap/v2/order'],
  ['/ultra/v1/execute', '/swap/v2/execute'],
  ['/v6/quote', '/swap/v1/quote'],
  ['/v6/swap', '/swap/v1/swap'],
  ['/v6/swap-instructions', '/swap/v1/swap-instructions'],
  ['/v6/program-id-to-label', '/swap/v1/program-id-to-label'],
]);

/** The target of a request with an older path in place of the present one, before keys, rules and limits look at it. */
export function resolvePathAlias(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const present = PRESENT_PATHS.get(path);
  return present === undefined ? url : `${present}${url.slice(path.length)}`;
}
