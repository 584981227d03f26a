import { STATUS_CODES } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonTooDeep } from '../../common/bounded-json.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { newRequestId, REQUEST_ID_HEADER } from './request-id.ts';
import { RequestInvalid } from './validation.ts';

/** The body of what the gateway itself refuses. A product's own refusals are `{ error }`. */
export interface GatewayErrorBody {
  readonly code: number;
  readonly message: string;
}

/** What a handler or Fastify itself may throw. */
export type Thrown = Error & {
  readonly statusCode?: number | undefined;
  readonly code?: unknown;
  /** A product's word for what it refuses, for programs. */
  readonly errorCode?: string | null;
};

export function sendGatewayError(reply: FastifyReply, code: number, message: string): FastifyReply {
  const body: GatewayErrorBody = { code, message };
  // Not the route's schema: that describes the product's bodies.
  return reply.code(code).serializer(JSON.stringify).type('application/json; charset=utf-8').send(body);
}

/** 503 with `retry-after`: the same request may succeed later. */
export function sendUnavailable(
  reply: FastifyReply,
  message: string,
  retryAfterSeconds: number,
): FastifyReply {
  reply.header('retry-after', retryAfterSeconds);
  return sendGatewayError(reply, 503, message);
}

/**
 * A thrown error with a `statusCode` below 500 is a product's refusal and its message is for the client; what Fastify
 * itself refuses is the gateway's. Anything else is a defect: it is logged, and the client learns only the request id.
 */
export function answerError(error: Thrown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof JsonTooDeep) return sendGatewayError(reply, 400, error.message);
  const status = error.statusCode ?? 500;
  const isFrameworks = typeof error.code === 'string' && error.code.startsWith('FST_');
  if (isFrameworks && !(error instanceof RequestInvalid)) {
    return sendGatewayError(reply, status, frameworkMessage(error, status, request));
  }
  if (status >= 400 && status < 500) {
    return reply
      .code(status)
      .serializer(JSON.stringify)
      .type('application/json; charset=utf-8')
      .send({ error: error.message, ...(error.errorCode == null ? {} : { errorCode: error.errorCode }) });
  }
  const unavailable = unavailableOf(error);
  if (unavailable !== null) {
    const { message, retryAfterSeconds, cause } = unavailable;
    // Without the place in the program: it may be logged for every request while the part does not work.
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    request.log.warn({ reason }, 'a part that is needed does not answer');
    const isChain = unavailable instanceof ChainUnavailable;
    const sentence = isChain ? `The Solana network does not answer: ${message}` : message;
    return sendUnavailable(reply, sentence, retryAfterSeconds);
  }
  request.log.error({ err: error }, 'a request failed');
  return sendGatewayError(reply, 500, `Internal server error; the request id is ${request.id}`);
}

/** The error itself, or what a library put its own error around; null when it is neither. */
function unavailableOf(error: unknown): Unavailable | null {
  if (error instanceof Unavailable) return error;
  return error instanceof Error && error.cause instanceof Unavailable ? error.cause : null;
}

function frameworkMessage(error: Thrown, status: number, request: FastifyRequest): string {
  if (status === 415)
    return `content-type must be application/json, got ${formatForError(request.headers['content-type'])}`;
  if (status >= 500) return status === 503 ? 'The request took too long' : 'Internal server error';
  return error.message;
}

/** Bytes that are not an HTTP request never become one, so the answer is written by hand. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = statusOf(error.code);
  const body: GatewayErrorBody = { code, message: STATUS_CODES[code] ?? 'Bad Request' };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${code} ${body.message}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `${REQUEST_ID_HEADER}: ${newRequestId()}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** A request of HTTP/2 that was not sent whole in time is answered as one of HTTP/1.1 is, beside Fastify, which waits for it. */
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
    [REQUEST_ID_HEADER]: newRequestId(),
    'x-content-type-options': 'nosniff',
  });
  stream.end(JSON.stringify(body), () => stream.close(constants.NGHTTP2_NO_ERROR));
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
