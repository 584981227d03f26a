import { formatForError } from '../../../common/format-for-error.ts';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { Unavailable } from '../../../common/unavailable.ts';
import { RequestInvalid } from '../../http/validation.ts';
import type { PortalNetwork } from './portal-network.ts';

/** What pages may call: what reads, simulates and sends. Not the cheat codes, which change the network. */
const METHODS: ReadonlySet<string> = new Set([
  ...['getAccountInfo', 'getMultipleAccounts', 'getProgramAccounts', 'getBalance'],
  ...['getBlock', 'getBlockHeight', 'getBlockTime', 'getEpochInfo', 'getSlot', 'getTransactionCount'],
  ...['getFeeForMessage', 'getRecentPrioritizationFees', 'getMinimumBalanceForRentExemption'],
  ...['getGenesisHash', 'getHealth', 'getVersion', 'getLatestBlockhash', 'isBlockhashValid'],
  ...['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'],
  ...['getTokenAccountBalance', 'getTokenAccountsByOwner', 'getTokenSupply'],
  ...['simulateTransaction', 'sendTransaction'],
]);

/** The RPC's own limit of a request. */
const MAX_BODY_BYTES = 50 * 1024;
/** Calls that wait for their answers. A page makes a few at a time. */
const MAX_CALLS = 32;
const RETRY_AFTER_SECONDS = 1;

interface RpcCall {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: unknown;
}

/** Registers `POST /portal/data/rpc`: one call of the embedded network's RPC. */
export function registerPortalRpc(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  network: PortalNetwork,
): void {
  let calls = 0;
  app.post(path, { ...options, bodyLimit: MAX_BODY_BYTES }, async ({ body }, reply) => {
    const call = parseCall(body);
    if (calls >= MAX_CALLS)
      throw new Unavailable(`More than ${MAX_CALLS} calls wait for the network`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    calls += 1;
    try {
      const answer = await network.callRpc(JSON.stringify({ jsonrpc: '2.0', ...call }));
      return await reply
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .send(answer);
    } finally {
      calls -= 1;
    }
  });
}

/** @throws RequestInvalid if the body is not one call of a method that pages may call */
function parseCall(body: unknown): RpcCall {
  if (Array.isArray(body)) throw new RequestInvalid('The portal takes one call at a time, not a batch');
  if (typeof body !== 'object' || body === null)
    throw new RequestInvalid('The body must be a JSON-RPC call, an object');
  const { jsonrpc, id = null, method, params = [] } = body as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw new RequestInvalid(`jsonrpc must be "2.0", got ${formatForError(jsonrpc)}`);
  if (typeof method !== 'string' || !METHODS.has(method))
    throw new RequestInvalid(
      `method must be one of those that read, simulate or send, got ${formatForError(method)}`,
    );
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new RequestInvalid(`id must be a string or a number, got ${formatForError(id)}`);
  return { id, method, params };
}
