import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { formatForError } from '../../../common/format-for-error.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { CallPlaces } from './call-places.ts';
import type { PortalNetwork } from './portal-network.ts';
import { MAX_RPC_BODY_BYTES, parseRpcCall } from './rpc-call.ts';

/** What pages may call: what reads, simulates and sends. Not the cheat codes, which change the network. */
const METHODS: ReadonlySet<string> = new Set([
  ...['getAccountInfo', 'getMultipleAccounts', 'getProgramAccounts', 'getBalance'],
  ...['getBlock', 'getBlockHeight', 'getBlockTime', 'getEpochInfo', 'getSlot', 'getTransactionCount'],
  ...['getFeeForMessage', 'getRecentPrioritizationFees', 'getMinimumBalanceForRentExemption'],
  ...['getGenesisHash', 'getHealth', 'getVersion', 'getLatestBlockhash', 'isBlockhashValid'],
  ...['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'],
  ...['getTokenAccountBalance', 'getTokenAccountsByOwner', 'getTokenLargestAccounts', 'getTokenSupply'],
  ...['simulateTransaction', 'sendTransaction'],
]);

/** Calls that wait for their answers. A page makes a few at a time. */
const MAX_CALLS = 32;

/** Registers `POST /portal/data/rpc`: one call of the embedded network's RPC. */
export function registerPortalRpc(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  network: PortalNetwork,
): void {
  const places = new CallPlaces(MAX_CALLS, SYSTEM_TIMERS.after);
  app.post(path, { ...options, bodyLimit: MAX_RPC_BODY_BYTES }, async ({ body, caller }, reply) => {
    const call = parseRpcCall(body, findRefusal);
    const answer = await places.run(caller, () =>
      network.callRpc(JSON.stringify({ jsonrpc: '2.0', ...call })),
    );
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(answer);
  });
}

function findRefusal(method: string): string | null {
  return METHODS.has(method)
    ? null
    : `method must be one of those that read, simulate or send, got ${formatForError(method)}`;
}
