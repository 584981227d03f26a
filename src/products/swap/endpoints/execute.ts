import { EXAMPLE_TRANSACTION } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { executeSwap } from '../execution/execute.ts';
import { Code, createExecutionRefusal } from '../../../swaps/orders/execution-result.ts';
import { toExecuteRefusal, toExecuteResponse } from './execute-response.ts';
import { ExecuteBody, ExecuteDefect, ExecuteRefusal, ExecuteResponse } from './execute-schema.ts';
import type { SwapServices } from './services.ts';

/** Somewhat longer than a transaction may take to land. */
const TIMEOUT_MS = 150_000;

export const execute = defineEndpoint({
  method: 'POST',
  path: '/swap/v2/execute',
  aliases: ['/ultra/v1/execute'],
  bucket: 'execute',
  timeoutMs: TIMEOUT_MS,
  operationId: 'PostExecute',
  example: {
    body: { signedTransaction: EXAMPLE_TRANSACTION, requestId: '0199b2f4-5b6c-7000-8000-000000000000' },
  },
  summary: 'Land a signed order',
  description:
    'Sends the signed transaction of an order until it is confirmed or runs out, and says what it moved.',
  body: ExecuteBody,
  responses: { 200: ExecuteResponse, 400: ExecuteRefusal, 500: ExecuteDefect },
  repeatKey: findRequestId,
  onInvalid: findBodyRefusal,
  // The swap may have been sent, so the client must repeat the same request.
  onDefect: (message) => toExecuteRefusal(createExecutionRefusal(Code.UNKNOWN, message)),
  handle: async ({ swap }: SwapServices, { body }) => {
    const outcome = await executeSwap(swap, body);
    if (outcome.kind !== 'refused') return toExecuteResponse(outcome);
    return new OtherAnswer(400, toExecuteRefusal(outcome));
  },
});

/** Each order is executed once, so requests for the same order wait for the same answer. */
function findRequestId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('requestId' in body)) return null;
  return typeof body.requestId === 'string' ? body.requestId : null;
}

/** A missing field has its own code. */
function findBodyRefusal(body: unknown, { message }: Error): OtherAnswer | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  if ('requestId' in body && 'signedTransaction' in body) return null;
  const code = 'requestId' in body ? Code.MISSING_SIGNED_TRANSACTION : Code.MISSING_REQUEST_ID;
  return new OtherAnswer(400, toExecuteRefusal(createExecutionRefusal(code, message)));
}
