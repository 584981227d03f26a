import { requireRecord } from '../records/account-json.ts';

/** What a JSON-RPC server answered: a result, an error, or neither. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'empty' };

/** Returns the body of a call that is sent in an HTTP request of its own, so that its id need not be unique. */
export function formatCallBody(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/**
 * Reads the envelope of an answer. Some servers write `error: null` beside a result.
 *
 * @param answer - The parsed body.
 * @param name - How error messages refer to the answer.
 * @throws OperatorError if the answer is not an object.
 */
export function readOutcome(answer: unknown, name: string): CallOutcome {
  const { error, result } = requireRecord(answer, name);
  if (error !== undefined && error !== null) return { kind: 'error', error };
  return result === undefined ? { kind: 'empty' } : { kind: 'result', result };
}
