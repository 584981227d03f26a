import { formatForError } from '../../../common/format-for-error.ts';
import { RequestInvalid } from '../../http/validation.ts';

/** One call of JSON-RPC by a page. */
export interface RpcCall {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: unknown;
}

/** The RPC's own limit of a request. */
export const MAX_RPC_BODY_BYTES = 50 * 1024;

/**
 * Reads the body of a page's call.
 *
 * @param findRefusal - Returns a sentence about why pages may not make the call; null if they may.
 * @throws RequestInvalid if the body is not one call that pages may make
 */
export function parseRpcCall(
  body: unknown,
  findRefusal: (method: string, params: unknown) => string | null,
): RpcCall {
  if (Array.isArray(body)) throw new RequestInvalid('The portal takes one call at a time, not a batch');
  if (typeof body !== 'object' || body === null)
    throw new RequestInvalid('The body must be a JSON-RPC call, an object');
  const { jsonrpc, id = null, method, params = [] } = body as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw new RequestInvalid(`jsonrpc must be "2.0", got ${formatForError(jsonrpc)}`);
  if (typeof method !== 'string')
    throw new RequestInvalid(
      `method must be one of those that read, simulate or send, got ${formatForError(method)}`,
    );
  const refusal = findRefusal(method, params);
  if (refusal !== null) throw new RequestInvalid(refusal);
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new RequestInvalid(`id must be a string or a number, got ${formatForError(id)}`);
  return { id, method, params };
}
