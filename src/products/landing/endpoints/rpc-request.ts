import { formatForError } from '../../../common/format-for-error.ts';

/** The id of a JSON-RPC request. It is sent back as the client sent it. */
export type RpcId = string | number | bigint | null;

/** Codes of JSON-RPC 2.0, and the public ones of transaction landing. */
export const RpcCode = {
  PARSE: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL: -32603,
  INTERNAL_METHOD: -1012,
  SMALL_TIP: -1013,
  NO_TIP: -1014,
  INVALID_CONFIG: -1015,
  WRONG_ENCODING: -1016,
} as const;
export type RpcCode = (typeof RpcCode)[keyof typeof RpcCode];

export type RpcRequest =
  | { readonly ok: true; readonly id: RpcId; readonly transaction: string }
  | { readonly ok: false; readonly id: RpcId; readonly error: RpcRequestError };

export interface RpcRequestError {
  readonly code: RpcCode;
  readonly message: string;
}

/** Methods that the public service reserves for its own callers. */
const INTERNAL_METHODS: ReadonlySet<string> = new Set([
  'sendJitoBundle',
  'sendAndConfirmTransaction',
  'sendYoloModeTransaction',
]);
const MAX_ID_LENGTH = 256;
/** Integers with more than 40 digits are not restored by the parser. */
const MAX_EXACT = 1e40;

/**
 * Reads a `sendTransaction` request, in the order of checks of the public service: the form of the request, its parameters,
 * the method, and the configuration. Of a configuration, only what could change the behaviour is read.
 * @param body - JSON of any form.
 */
export function readRpcRequest(body: unknown): RpcRequest {
  if (!isRecord(body)) {
    const given = Array.isArray(body) ? 'a batch' : formatForError(body);
    return createRpcProblem(null, RpcCode.INVALID_REQUEST, `the request must be one object, got ${given}`);
  }
  const { jsonrpc, id: givenId, method, params } = body;
  const id = givenId === undefined ? null : givenId;
  if (!isId(id)) {
    return createRpcProblem(
      null,
      RpcCode.INVALID_REQUEST,
      `id must be a number below 10^40, null, or a string of at most ${MAX_ID_LENGTH} characters, got ${formatForError(id)}`,
    );
  }
  if (jsonrpc !== '2.0') {
    return createRpcProblem(
      id,
      RpcCode.INVALID_REQUEST,
      `jsonrpc must be "2.0", got ${formatForError(jsonrpc)}`,
    );
  }
  if (typeof method !== 'string') {
    return createRpcProblem(
      id,
      RpcCode.INVALID_REQUEST,
      `method must be a string, got ${formatForError(method)}`,
    );
  }
  if (params !== undefined && !Array.isArray(params)) {
    return createRpcProblem(
      id,
      RpcCode.INVALID_PARAMS,
      `params must be an array, got ${formatForError(params)}`,
    );
  }
  if (method !== 'sendTransaction' && !INTERNAL_METHODS.has(method)) {
    return createRpcProblem(
      id,
      RpcCode.METHOD_NOT_FOUND,
      'Method not found: only sendTransaction is served here',
    );
  }
  return readParams(id, method, params ?? []);
}

function readParams(id: RpcId, method: string, params: readonly unknown[]): RpcRequest {
  const invalid = (message: string) => createRpcProblem(id, RpcCode.INVALID_PARAMS, message);
  const [transaction, config] = params;
  if (typeof transaction !== 'string') {
    return invalid(`the first of params must be a transaction in base64, got ${formatForError(transaction)}`);
  }
  if (config != null && !isRecord(config)) {
    return invalid(`the second of params must be an object, got ${formatForError(config)}`);
  }
  if (method !== 'sendTransaction') {
    return createRpcProblem(id, RpcCode.INTERNAL_METHOD, `${method} is not offered; use sendTransaction`);
  }
  const error = config == null ? null : findConfigError(config);
  return error === null ? { ok: true, id, transaction } : { ok: false, id, error };
}

function findConfigError(config: Readonly<Record<string, unknown>>): RpcRequestError | null {
  const { encoding, skipPreflight, maxRetries, swqosOnly } = config;
  const invalid = (message: string) => ({ code: RpcCode.INVALID_CONFIG, message });
  if (skipPreflight != null && skipPreflight !== true) return invalid('skipPreflight must be true');
  if (maxRetries != null && maxRetries !== 0) return invalid('maxRetries must be 0');
  if (swqosOnly != null && typeof swqosOnly !== 'boolean') return invalid('swqosOnly must be true or false');
  if (encoding != null && encoding !== 'base64') {
    return {
      code: RpcCode.WRONG_ENCODING,
      message: `encoding must be base64, got ${formatForError(encoding)}`,
    };
  }
  return null;
}

function isId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH;
  // Integers beyond this are rounded, and sending back another number than the client's would mislead it.
  return id === null || typeof id === 'bigint' || (typeof id === 'number' && Math.abs(id) < MAX_EXACT);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function createRpcProblem(id: RpcId, code: RpcCode, message: string): RpcRequest {
  return { ok: false, id, error: { code, message } };
}
