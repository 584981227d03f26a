/** A request by which a product can be tried, by the name of the product. */
const TRIALS: Readonly<Record<string, string>> = {
  swap: '/swap/v2/order?inputMint=So11111111111111111111111111111111111111112&outputMint=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&amount=100000000',
  price: '/price/v3?ids=So11111111111111111111111111111111111111112',
  tokens: '/tokens/v2/search?query=SOL',
  lend: '/lend/v1/earn/tokens',
  ultra: '/ultra/v1/shield?mints=So11111111111111111111111111111111111111112',
  portfolio: '/portfolio/v1/platforms',
  recurring:
    '/recurring/v1/getRecurringOrders?user=11111111111111111111111111111111&recurringType=time&orderStatus=active',
  trigger: '/trigger/v1/getTriggerOrders?user=11111111111111111111111111111111&orderStatus=active',
  send: '/send/v1/pending-invites?address=11111111111111111111111111111111',
};

/**
 * Returns a command that sends a first request with a key.
 *
 * @param products - What the key opens; null: everything.
 * @param served - The products of the instance, with the paths that they begin with.
 */
export function buildFirstRequest({
  restUrl,
  secret,
  products,
  served,
}: {
  readonly restUrl: string;
  readonly secret: string;
  readonly products: readonly string[] | null;
  readonly served: readonly { readonly name: string; readonly basePath: string }[];
}): string {
  const opened = served.filter(({ name }) => products === null || products.includes(name));
  const order = [...Object.keys(TRIALS)];
  const known = order.find((name) => opened.some((product) => product.name === name));
  const path = TRIALS[known ?? ''] ?? opened[0]?.basePath ?? '/swap/v2/order';
  return `curl -H 'x-api-key: ${secret}' '${restUrl}${path}'`;
}
