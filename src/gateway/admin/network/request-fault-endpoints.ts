import { Type } from 'typebox';
import { faultCount, faultDelay, faultStatus } from './fault-fields.ts';
import { NetworkRefused } from '../../../chain/embedded/ledger/bank.ts';
import type { RequestFaults } from '../../pipeline/request-faults.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import type { NetworkServices } from './network-services.ts';

const PATH = '/admin/v1/network/faults/requests';
const MAX_DELAY_MS = 60_000;

const Status = faultStatus('Answered in place of the product, as the gateway answers it otherwise.');
const DelayMs = faultDelay(MAX_DELAY_MS);
const NoStatus = Type.Null({ description: 'None: the request is processed, after the delay.' });

export const RequestFaultBody = Type.Object(
  {
    path: Type.String({
      pattern: '^/[^?#]*$',
      maxLength: 500,
      description: 'As clients ask for it, without a query; with `*` at its end, every path that begins so.',
    }),
    status: Type.Optional(Status),
    delayMs: Type.Optional(DelayMs),
    count: Type.Optional(faultCount('Requests')),
  },
  { additionalProperties: false },
);

export const RequestFaultsAnswer = Type.Object({
  waiting: Type.Array(
    Type.Object({
      path: Type.String(),
      status: Type.Union([Status, NoStatus]),
      delayMs: DelayMs,
      count: Type.Integer(),
    }),
    { description: 'In their order. The first one that matches a request strikes it.' },
  ),
  struck: Type.Array(
    Type.Object({
      requestId: Type.String(),
      method: Type.String(),
      path: Type.String(),
      status: Type.Union([Status, NoStatus]),
      delayMs: DelayMs,
      at: Type.Integer({ description: 'Unix milliseconds.' }),
    }),
    { description: 'The last hundred requests that were struck, the oldest first.' },
  ),
});

const list = defineAdminEndpoint({
  method: 'GET',
  path: PATH,
  summary: 'The faults of the next requests',
  responses: { 200: RequestFaultsAnswer },
  handle: async ({ requestFaults }: NetworkServices) => listRequestFaults(requestFaults),
});

const add = defineAdminEndpoint({
  method: 'POST',
  path: PATH,
  audited: 'network.request_fault_added',
  summary: 'Refuse or delay the next requests of a path',
  body: RequestFaultBody,
  responses: { 200: RequestFaultsAnswer },
  handle: async ({ requestFaults }: NetworkServices, { body }) => {
    const { path, status = null, delayMs = 0, count = 1 } = body;
    if (status === null && delayMs === 0)
      throw new NetworkRefused('request', 'the fault does nothing: give status, delayMs, or both');
    const refusal = requestFaults.add({ path, status, delayMs, count });
    if (refusal !== null) throw new NetworkRefused('request', refusal);
    return listRequestFaults(requestFaults);
  },
});

const forget = defineAdminEndpoint({
  method: 'DELETE',
  path: PATH,
  audited: 'network.request_faults_cleared',
  summary: 'Forget the faults of the next requests',
  responses: { 200: RequestFaultsAnswer },
  handle: async ({ requestFaults }: NetworkServices) => {
    requestFaults.clear();
    return listRequestFaults(requestFaults);
  },
});

/** The faults of the next requests to the public server. */
export const REQUEST_FAULT_ENDPOINTS = [list, add, forget];

function listRequestFaults({ waiting, struck }: RequestFaults) {
  return { waiting: [...waiting], struck: [...struck] };
}
