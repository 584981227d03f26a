/** How a product executes a signed transaction of one of its answers. */
export interface ExecuteEndpoint {
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
}

/** The paths whose answers have a transaction and a `requestId`, and where these are executed. */
const ENDPOINTS: readonly { readonly from: RegExp; readonly path: string }[] = [
  { from: /^\/swap\/v2\/order$/, path: '/swap/v2/execute' },
  { from: /^\/swap\/v2\/squads\/v5\/order$/, path: '/swap/v2/squads/v5/execute' },
  { from: /^\/ultra\/v1\/order$/, path: '/ultra/v1/execute' },
  { from: /^\/ultra\/v1\/transfer\//, path: '/ultra/v1/transfer/execute' },
  { from: /^\/ultra\/v1\/reclaim\/craft$/, path: '/ultra/v1/reclaim/execute' },
  { from: /^\/trigger\/v1\//, path: '/trigger/v1/execute' },
  { from: /^\/recurring\/v1\//, path: '/recurring/v1/execute' },
];

/** The endpoint of prediction markets adds signatures of its own, and needs no id. */
const PREDICTION = { from: /^\/prediction\/v1\/(orders?|positions)/, path: '/prediction/v1/execute' };

/**
 * Returns the endpoint that executes a transaction; null where the network itself takes it.
 *
 * @param requestPath - The path whose answer had the transaction.
 */
export function findExecuteEndpoint(
  requestPath: string,
  requestId: string | null,
  signedTransaction: string,
): ExecuteEndpoint | null {
  if (PREDICTION.from.test(requestPath)) return { path: PREDICTION.path, body: { signedTransaction } };
  const endpoint = ENDPOINTS.find(({ from }) => from.test(requestPath));
  if (endpoint === undefined || requestId === null) return null;
  return { path: endpoint.path, body: { signedTransaction, requestId } };
}
