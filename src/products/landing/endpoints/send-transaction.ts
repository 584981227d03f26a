import { toJson } from '../../../chain/json-rpc/json.ts';
import type { SubmissionProblem } from '../../../transactions/landing/check-submission.ts';
import { acceptTransaction } from '../submissions/accept.ts';
import { EXAMPLE_TRANSACTION } from '../../example-values.ts';
import { defineEndpoint, type EndpointRequest, OtherAnswer } from '../../endpoint.ts';
import { createOverloadAnswer } from './overload.ts';
import { type RpcRequestError, type RpcId, RpcCode, readRpcRequest } from './rpc-request.ts';
import { RpcAnswer, RpcBody } from './schema.ts';
import type { LandingServices } from '../submissions/services.ts';

export const sendTransaction = defineEndpoint({
  method: 'POST',
  path: '/tx/v1',
  aliases: ['/tx/v1/'],
  operationId: 'SendTransaction',
  example: {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [EXAMPLE_TRANSACTION, { encoding: 'base64' }],
    },
  },
  summary: 'Land a signed transaction',
  description:
    'JSON-RPC 2.0 with the method `sendTransaction`. The transaction must pay at least ' +
    '1,000,000 lamports to one of the 16 tip accounts, in an instruction of its own. A result says that the transaction is ' +
    'forwarded, not that it landed. Refusals are errors of JSON-RPC with status 200.',
  bucket: 'submit',
  credits: 0,
  exactIntegers: true,
  body: RpcBody,
  responses: { 200: RpcAnswer },
  onUnreadable: (message) => new OtherAnswer(200, toRpcError(null, { code: RpcCode.PARSE, message })),
  onInvalid: (body, { message }) => {
    const request = readRpcRequest(body);
    const error = request.ok ? { code: RpcCode.INVALID_REQUEST, message } : request.error;
    return new OtherAnswer(200, encodeRpc(toRpcError(request.id, error)));
  },
  onDefect: (message) => toRpcError(null, { code: RpcCode.INTERNAL, message }),
  handle: async (services: LandingServices, request) => {
    const answer = await answerRpc(services, request);
    return answer instanceof OtherAnswer ? answer : encodeRpc(answer);
  },
});

const CODES: Readonly<Record<SubmissionProblem, RpcCode>> = {
  unreadable: RpcCode.INVALID_PARAMS,
  'not-signed': RpcCode.INVALID_PARAMS,
  'no-tip': RpcCode.NO_TIP,
  'small-tip': RpcCode.SMALL_TIP,
};

async function answerRpc(
  services: LandingServices,
  submitted: EndpointRequest,
): Promise<ExactAnswer | OtherAnswer> {
  const request = readRpcRequest(submitted.body);
  if (!request.ok) {
    services.onRefused('request');
    return toRpcError(request.id, request.error);
  }
  const { id, transaction } = request;
  const accepted = await acceptTransaction(services, transaction, submitted);
  if (accepted.ok) return { jsonrpc: '2.0', id, result: accepted.signature };
  const { code, message } = accepted.error;
  if (code === 'busy' || code === 'full') return createOverloadAnswer(code, message);
  return toRpcError(id, { code: CODES[code], message });
}

/** An answer whose id can be larger than a double. */
type ExactAnswer<Id = RpcId> = Omit<RpcAnswer, 'id'> & { readonly id: Id };

function toRpcError<Id extends RpcId>(id: Id, { code, message }: RpcRequestError): ExactAnswer<Id> {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function encodeRpc(answer: ExactAnswer): Buffer {
  return Buffer.from(toJson(answer));
}
