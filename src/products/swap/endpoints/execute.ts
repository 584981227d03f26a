import { endpoint, OtherAnswer } from '../../endpoint.ts';
import { ExecuteRefused } from '../errors.ts';
import { executeSwap } from '../execution/execute.ts';
import { ExecuteBody, ExecuteRefusal, ExecuteResponse } from '../execution/execute-schema.ts';
import { Code } from '../execution/land-order.ts';
import type { SwapServices } from './services.ts';

/** As long as a transaction may take to land, and some more. */
const TIMEOUT_MS = 150_000;

export const execute = endpoint({
  method: 'POST',
  path: '/swap/v2/execute',
  aliases: ['/ultra/v1/execute'],
  bucket: 'execute',
  credits: 0,
  timeoutMs: TIMEOUT_MS,
  operationId: 'PostExecute',
  summary: 'Land a signed order',
  description:
    'Sends the signed transaction of an order until it is confirmed or runs out, and says what it moved.',
  body: ExecuteBody,
  responses: { 200: ExecuteResponse, 400: ExecuteRefusal },
  repeatKey: requestIdOf,
  onInvalid: refusalOfBody,
  handle: async ({ swap }: SwapServices, { body }) => {
    try {
      return await executeSwap(swap, body);
    } catch (error) {
      if (!(error instanceof ExecuteRefused)) throw error;
      return new OtherAnswer(400, { error: error.message, code: error.executeCode });
    }
  },
});

/** An order is executed once, so requests for the same one wait for the same answer. */
function requestIdOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('requestId' in body)) return null;
  return typeof body.requestId === 'string' ? body.requestId : null;
}

/** A member that is missing has a code of its own. */
function refusalOfBody(body: unknown, { message }: Error): OtherAnswer | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  if (!('requestId' in body)) return new OtherAnswer(400, { error: message, code: Code.MISSING_REQUEST_ID });
  if ('signedTransaction' in body) return null;
  return new OtherAnswer(400, { error: message, code: Code.MISSING_SIGNED_TRANSACTION });
}
