import { STATUS_CODES } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InvalidValue } from '../../products/endpoint.ts';
import { JsonTooDeep } from '../../common/bounded-json.ts';
import { createUndecodable, ChainUnavailable } from '../../chain/chain.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { TooManyExecutions } from '../../transactions/prepared/store.ts';
import { createRequestId, REQUEST_ID_HEADER } from './log/request-id.ts';
import { BodyUnreadable } from './multipart.ts';
import { RequestInvalid } from './validation.ts';

/** The body of the gateway's own refusals. A product's refusals are `{ error }`. */
export interface GatewayErrorBody {
  readonly code: number;
  readonly message: string;
  /** A sentence with the values of the request, where `message` is a text that clients compare. */
  readonly details?: string;
}

/** An error of a handler, or of Fastify itself, such as for a body that is too large. */
export type Thrown = Error & {
  readonly statusCode?: number | undefined;
  readonly code?: unknown;
  /** A product's code for the refusal, for programs. */
  readonly errorCode?: string | null;
};

/**
 * Sends a refusal of the gateway, `{ code, message }`, with `details` if there are any.
 * @param code - The HTTP status, repeated in the body.
 * @param message - A sentence for the client, or a text that clients compare.
 * @param details - A sentence with the values of the request, for such a text.
 *
 * @example
 * ```ts
 * import type { FastifyInstance } from 'fastify';
 * import { sendGatewayError } from './errors.ts';
 *
 * export function refuseAll(app: FastifyInstance): void {
 *   app.addHook('onRequest', async (_request, reply) => sendGatewayError(reply, 503, 'Under maintenance'));
 * }
 * ```
 */
export function sendGatewayError(
  reply: FastifyReply,
  code: number,
  message: string,
  details?: string,
): FastifyReply {
  const own = createOwnErrorBody(reply.request, code, message);
  if (own !== null) return sendErrorBody(reply, code, own.body);
  const body: GatewayErrorBody = details === undefined ? { code, message } : { code, message, details };
  return sendErrorBody(reply, code, body);
}

/** Sends an error as JSON. The route's serializer is not used, because its schema describes the product's bodies. */
function sendErrorBody(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).serializer(JSON.stringify).type('application/json; charset=utf-8').send(body);
}

/** Asks the endpoint for the body of an error. Returns null if it has no form of its own for all of them. */
function createOwnErrorBody(
  { id, routeOptions }: FastifyRequest,
  status: number,
  message: string,
  invalid: readonly InvalidValue[] = [],
): { readonly body: unknown } | null {
  const { toErrorBody } = routeOptions.config;
  if (toErrorBody === undefined) return null;
  return { body: toErrorBody({ status, message, requestId: id, invalid }) };
}

/** Sends a 503 with `retry-after`: the same request may succeed later. */
export function sendUnavailable(
  reply: FastifyReply,
  message: string,
  retryAfterSeconds: number,
): FastifyReply {
  reply.header('retry-after', retryAfterSeconds);
  return sendGatewayError(reply, 503, message);
}

/**
 * Answers an error that a handler or Fastify threw.
 * - An error with a status below 500 is a refusal by the product, and the client gets its message.
 * - An error of Fastify itself is a refusal by the gateway.
 * - `Unavailable` is answered with 503 and `retry-after`.
 * - Anything else is a defect: it is logged, and the client learns only the request id.
 */
export function answerError(error: Thrown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof JsonTooDeep || error instanceof BodyUnreadable)
    return refuseBody(reply, request, error.message);
  const status = toHttpStatus(error);
  const isFrameworks = typeof error.code === 'string' && error.code.startsWith('FST_');
  if (isFrameworks && !(error instanceof RequestInvalid)) {
    if (UNREADABLE_BODIES.has(error.code)) return refuseBody(reply, request, error.message);
    return sendGatewayError(reply, status, describeFrameworkError(error, status, request));
  }
  if (status >= 400 && status < 500) {
    const invalid = error instanceof RequestInvalid ? error.invalid : [];
    const own = createOwnErrorBody(request, status, error.message, invalid);
    if (own !== null) return sendErrorBody(reply, status, own.body);
    const code = error.errorCode == null ? {} : { errorCode: error.errorCode };
    return sendErrorBody(reply, status, { error: error.message, ...code });
  }
  const unavailable = findUnavailable(error);
  if (unavailable !== null) {
    const { message, retryAfterSeconds, cause } = unavailable;
    // The stack is left out, because this may be logged for every request while the part does not work.
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    request.log.warn({ reason }, 'a part that is needed does not answer');
    const isChain = unavailable instanceof ChainUnavailable;
    const sentence = isChain ? `The Solana network does not answer: ${message}` : message;
    return sendUnavailable(reply, sentence, retryAfterSeconds);
  }
  request.log.error({ err: error }, 'a request failed');
  return sendDefect(reply, request);
}

/** Fastify's codes for bodies that should be JSON and are not. */
const UNREADABLE_BODIES: ReadonlySet<unknown> = new Set([
  'FST_ERR_CTP_EMPTY_JSON_BODY',
  'FST_ERR_CTP_INVALID_JSON_BODY',
]);

/** Answers a body that cannot be read, or JSON that is nested too deeply: in the endpoint's own form if it has one. */
function refuseBody(reply: FastifyReply, { routeOptions }: FastifyRequest, message: string): FastifyReply {
  const { onUnreadable } = routeOptions.config;
  if (onUnreadable === undefined) return sendGatewayError(reply, BAD_REQUEST, message);
  const { status, body } = onUnreadable(message);
  return sendErrorBody(reply, status, body);
}

/** Answers 500, in the endpoint's own form if it has one. */
export function sendDefect(reply: FastifyReply, request: FastifyRequest): FastifyReply {
  const { onDefect } = request.routeOptions.config;
  const message = `Internal server error; the request id is ${request.id}`;
  if (onDefect === undefined) return sendGatewayError(reply, DEFECT, message);
  return sendErrorBody(reply, DEFECT, onDefect(message));
}

const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
const DEFECT = 500;

/** Errors from rooms below the gateway know no HTTP status; they are given one here. */
function toHttpStatus(error: Thrown): number {
  if (error instanceof RequestRefused) return BAD_REQUEST;
  if (error instanceof TooManyExecutions) return TOO_MANY_REQUESTS;
  return error.statusCode ?? 500;
}

/**
 * Returns the `Unavailable` with which an error is answered: the error itself, what a library wrapped, or, for an account
 * whose bytes could not be decoded, a new one. Null: the error is none of these.
 */
function findUnavailable(error: unknown): Unavailable | null {
  if (error instanceof Unavailable) return error;
  // What clients send is decoded with errors of its own, so these bytes came from the network.
  if (error instanceof LayoutInvalid) return createUndecodable(error.message);
  return error instanceof Error && error.cause instanceof Unavailable ? error.cause : null;
}

function describeFrameworkError(error: Thrown, status: number, request: FastifyRequest): string {
  if (status === 415) {
    const { bodyTypes = ['application/json'] } = request.routeOptions.config;
    return `content-type must be ${bodyTypes.join(' or ')}, got ${formatForError(request.headers['content-type'])}`;
  }
  if (status >= 500) return status === 503 ? 'The request took too long' : 'Internal server error';
  return error.message;
}

/** Answers bytes that are not an HTTP request, and closes the connection. There is no request or reply object for them. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = toParserErrorStatus(error.code);
  const body: GatewayErrorBody = { code, message: STATUS_CODES[code] ?? 'Bad Request' };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${code} ${body.message}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `${REQUEST_ID_HEADER}: ${createRequestId()}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Answers 408 to an HTTP/2 request that did not arrive completely in time. Fastify still waits for it, so the stream is answered. */
export function answerSlow(stream: ServerHttp2Stream): void {
  const code = 408;
  if (stream.headersSent) {
    stream.close(constants.NGHTTP2_NO_ERROR);
    return;
  }
  const body: GatewayErrorBody = { code, message: STATUS_CODES[code] ?? '' };
  stream.respond({
    ':status': code,
    'content-type': 'application/json; charset=utf-8',
    [REQUEST_ID_HEADER]: createRequestId(),
    'x-content-type-options': 'nosniff',
  });
  stream.end(JSON.stringify(body), () => stream.close(constants.NGHTTP2_NO_ERROR));
}

function toParserErrorStatus(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
