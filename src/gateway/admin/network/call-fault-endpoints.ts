import { Type } from 'typebox';
import { faultCount, faultDelay, faultStatus } from './fault-fields.ts';
import { NetworkRefused } from '../../../chain/embedded/ledger/bank.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import type { AdminNetwork, NetworkServices } from './network-services.ts';

const PATH = '/admin/v1/network/faults/rpc';
const MAX_DELAY_MS = 30_000;
const MAX_CODE = 0x7fff_ffff;

const Status = faultStatus('The HTTP status of the answer to the whole request, of which no call is made.');
const Code = Type.Integer({
  minimum: -MAX_CODE,
  maximum: MAX_CODE,
  description: 'The code of the JSON-RPC error with which the call is answered, without being made.',
});
const DelayMs = faultDelay(MAX_DELAY_MS);
const None = Type.Null({ description: 'None.' });
const Method = Type.String({ description: 'A method of the Solana RPC; `*` is every method.' });

export const CallFaultBody = Type.Object(
  {
    method: Type.String({
      pattern: '^(\\*|[A-Za-z_]{1,64})$',
      description: 'Such as `sendTransaction`; `*` is every method.',
    }),
    status: Type.Optional(Status),
    code: Type.Optional(Code),
    delayMs: Type.Optional(DelayMs),
    count: Type.Optional(faultCount('Calls')),
  },
  { additionalProperties: false },
);

const effect = {
  method: Method,
  status: Type.Union([Status, None]),
  code: Type.Union([Code, None]),
  delayMs: DelayMs,
};

export const CallFaultsAnswer = Type.Object({
  waiting: Type.Array(Type.Object({ ...effect, count: Type.Integer() }), {
    description: 'In their order. The first one that matches a call strikes it.',
  }),
  struck: Type.Array(Type.Object({ ...effect, at: Type.Integer({ description: 'Unix milliseconds.' }) }), {
    description: 'The last hundred calls that were struck, the oldest first.',
  }),
});

const list = defineAdminEndpoint({
  method: 'GET',
  path: PATH,
  summary: 'The faults of the next calls of the Solana RPC',
  responses: { 200: CallFaultsAnswer },
  handle: ({ network }: NetworkServices) => listCallFaults(network),
});

const add = defineAdminEndpoint({
  method: 'POST',
  path: PATH,
  audited: 'network.call_fault_added',
  summary: 'Refuse, fail or delay the next calls of the Solana RPC',
  body: CallFaultBody,
  responses: { 200: CallFaultsAnswer },
  handle: async ({ network }: NetworkServices, { body }) => {
    const { method, status = null, code = null, delayMs = 0, count = 1 } = body;
    if (status === null && code === null && delayMs === 0)
      throw new NetworkRefused('request', 'the fault does nothing: give status, code, delayMs, or several');
    if (status !== null && code !== null)
      throw new NetworkRefused(
        'request',
        'give status or code: a request with that status has no JSON-RPC error',
      );
    await network.faultCalls({ method, status, code, delayMs, count });
    return listCallFaults(network);
  },
});

const forget = defineAdminEndpoint({
  method: 'DELETE',
  path: PATH,
  audited: 'network.call_faults_cleared',
  summary: 'Forget the faults of the next calls of the Solana RPC',
  responses: { 200: CallFaultsAnswer },
  handle: async ({ network }: NetworkServices) => {
    await network.clearCallFaults();
    return listCallFaults(network);
  },
});

/** The faults of the next calls of the embedded network's Solana RPC over HTTP. */
export const CALL_FAULT_ENDPOINTS = [list, add, forget];

async function listCallFaults(network: AdminNetwork) {
  const { waiting, struck } = await network.callFaults();
  return { waiting: [...waiting], struck: [...struck] };
}
