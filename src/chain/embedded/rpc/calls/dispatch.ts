import { ErrorCode } from '../../../json-rpc/error-codes.ts';
import { invalidRequest, methodNotFound, RpcError } from '../../../json-rpc/rpc-errors.ts';
import { parseJson, toJson } from '../../../json-rpc/json.ts';
import type { Params } from './params.ts';

/**
 * Handles calls of one method. The result, or that of its promise, is serialized by `toJson`. It throws `RpcError` for an
 * error answer.
 */
export type Handler = (params: Params) => unknown;

export type Handlers = ReadonlyMap<string, Handler>;

/** Finds the handler of a method. */
export type HandlerLookup = Pick<Handlers, 'get'>;

export interface DispatchOptions {
  /** The maximum number of calls in a batch. */
  readonly maxBatch: number;
  /** The maximum total length of the answers of a batch, in characters. */
  readonly maxBatchAnswer: number;
  /** Called when a handler throws anything but `RpcError`. The call is answered with -32603. */
  readonly onDefect: (error: unknown, method: string) => void;
  /** Lets other work of the thread run. It is called between the calls of a batch. */
  readonly yieldThread: () => Promise<void>;
}

/**
 * Handles the text of a request or a batch (JSON-RPC 2.0). It never throws.
 *
 * Returns the text of the answer, or null when there is none because all calls were notifications.
 */
export function dispatch(
  text: string,
  handlers: HandlerLookup,
  options: DispatchOptions,
): string | null | Promise<string | null> {
  let request: unknown;
  try {
    request = parseJson(text);
  } catch {
    return failure(null, new RpcError(ErrorCode.PARSE, 'Parse error'));
  }
  return Array.isArray(request)
    ? answerBatch(request, handlers, options)
    : answerCall(request, handlers, options);
}

async function answerBatch(
  calls: readonly unknown[],
  handlers: HandlerLookup,
  options: DispatchOptions,
): Promise<string | null> {
  if (calls.length === 0) return failure(null, invalidRequest('Invalid request: an empty batch'));
  if (calls.length > options.maxBatch) {
    const message = `Invalid request: a batch of ${calls.length} calls; max ${options.maxBatch}`;
    return failure(null, invalidRequest(message));
  }
  const answers: string[] = [];
  let size = 0;
  for (const call of calls) {
    if (size > options.maxBatchAnswer) {
      const message = `Invalid request: the answers exceed ${options.maxBatchAnswer} characters; send fewer calls`;
      return failure(null, invalidRequest(message));
    }
    const answer = await answerCall(call, handlers, options);
    if (answer !== null) {
      answers.push(answer);
      size += answer.length;
    }
    await options.yieldThread();
  }
  return answers.length === 0 ? null : `[${answers.join(',')}]`;
}

type CallId = string | number | bigint | null;

function answerCall(
  call: unknown,
  handlers: HandlerLookup,
  options: DispatchOptions,
): string | null | Promise<string> {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) {
    return failure(null, invalidRequest('Invalid request: a call must be an object'));
  }
  const { jsonrpc, id, method, params } = call as Readonly<Record<string, unknown>>;
  if (id !== undefined && !isId(id)) {
    return failure(null, invalidRequest('Invalid request: id must be a string, a number or null'));
  }
  if (jsonrpc !== '2.0') {
    return failure(id ?? null, invalidRequest('Invalid request: jsonrpc must be "2.0"'));
  }
  if (typeof method !== 'string') {
    return failure(id ?? null, invalidRequest('Invalid request: method must be a string'));
  }
  if (id === undefined) return null;
  const succeed = (result: unknown) => `{"jsonrpc":"2.0","result":${toJson(result)},"id":${toJson(id)}}`;
  const fail = (error: unknown) => {
    if (error instanceof RpcError) return failure(id, error);
    options.onDefect(error, method);
    return failure(id, new RpcError(ErrorCode.INTERNAL, 'Internal error'));
  };
  try {
    const result = answer(method, params, handlers);
    return result instanceof Promise ? result.then(succeed).catch(fail) : succeed(result);
  } catch (error) {
    return fail(error);
  }
}

function answer(method: string, params: unknown, handlers: HandlerLookup): unknown {
  const handler = handlers.get(method);
  if (handler === undefined) throw methodNotFound();
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    throw new RpcError(ErrorCode.INVALID_PARAMS, 'Invalid params: params must be an array, by position');
  }
  return handler(params ?? []);
}

function isId(value: unknown): value is CallId {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
  );
}

function failure(id: CallId, error: RpcError): string {
  const { code, message, data } = error;
  return `{"jsonrpc":"2.0","error":${toJson({ code, message, data })},"id":${toJson(id)}}`;
}
