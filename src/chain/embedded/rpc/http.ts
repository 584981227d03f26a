import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { FaultStatus } from '../../../common/collections/counted-faults.ts';
import { boundConnections, getConnection, isFlooded } from '../../../common/collections/connections.ts';
import { isIdentity } from '../../../common/content-encoding.ts';
import { BYTES_PER_UNIT, UNITS_PER_TURN, createUnaccountedWork } from '../../../common/work/work.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { onResponseFinished } from '../../../common/on-response-finished.ts';
import type { HealthCheck } from '../../../common/ports/health-check.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { createAnswerBatch } from './answer-batch.ts';
import type { RequestStrike } from './calls/call-faults.ts';
import { type CheatRefusal, refuseCheating } from './calls/cheat-guard.ts';

/** The limit of validators. It suffices for any single call and for a batch of about fifty transactions. */
export const MAX_BODY_BYTES = 50 * 1024;

const MAX_CONNECTIONS = 1024;
/** Most clients are on this machine and share its address, which may hold four fifths of the connections. */
export const CONNECTIONS_FACTOR = 4;
/** The maximum size of all answers that clients have not read yet. Beyond it, new calls are refused. */
const MAX_UNREAD_BYTES = 192 * 1024 * 1024;

/** The maximum time that an answer waits for those of other requests. */
const MAX_WAIT_MS = 2;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const SOCKET_IDLE_MS = 60_000;
/** One second longer than `@solana/web3.js` keeps an idle connection, so that the client closes it first. */
const KEEP_ALIVE_MS = 20_000;
const CORS_SECONDS = '86400';
const RETRY_AFTER_SECONDS = 1;

export interface HttpOptions {
  /**
   * Handles the text of a request or batch. Returns null when there is no answer. It never throws.
   *
   * @param cheatRefusal - Why the request may not call cheat codes, or null.
   * @param strike - The faults of the request, or null.
   */
  readonly answer: (
    text: string,
    cheatRefusal: CheatRefusal | null,
    strike: RequestStrike | null,
  ) => string | null | Promise<string | null>;
  /** Selects the faults of a request. Returns null when there are none. */
  readonly strike: (text: string) => RequestStrike | null;
  /** Calls back after milliseconds. */
  readonly after: Timers['after'];
  /** Checks the network. */
  readonly unhealthy: HealthCheck;
  /** A monotonic clock in milliseconds. */
  readonly stopwatch: () => number;
}

/** Creates the HTTP server, which does not listen yet: `POST /`, `GET /health`, and CORS for wallets in browsers. */
export function createHttpServer(options: HttpOptions): Server {
  const unread: Unread = { bytes: 0 };
  const together = createAnswerBatch(options.stopwatch, MAX_WAIT_MS);
  const server = createServer(
    { keepAlive: true, noDelay: true, maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      if (!countRequest(request, response)) return;
      const { origin } = request.headers;
      if (origin !== undefined) response.setHeader('access-control-allow-origin', '*');
      const refusal = refuse(request, unread.bytes);
      if (refusal !== null) return refusal(response);
      if (request.method === 'OPTIONS') return sendPreflight(request, response);
      if (request.method === 'GET')
        return sendText(response, 200, options.unhealthy() === null ? 'ok' : 'unknown');
      readBody(request, response, (text) => {
        const strike = options.strike(text);
        const go = () => {
          if (strike !== null && strike.status !== null) return sendStruck(response, strike.status);
          const answer = options.answer(text, refuseCheating(request), strike);
          if (answer instanceof Promise) void answer.then((later) => sendAnswer(response, later, unread));
          else together(() => sendAnswer(response, answer, unread));
        };
        if (strike === null || strike.delayMs === 0) go();
        else afterDelay(strike.delayMs, options.after, response, go);
      });
    },
  );
  boundConnections(server, { max: MAX_CONNECTIONS, factor: CONNECTIONS_FACTOR });
  server.maxHeadersCount = 64;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.setTimeout(SOCKET_IDLE_MS);
  return server;
}

/**
 * Counts a request of a connection until its response is closed, so that the connection is not idle.
 *
 * Returns false when the connection is closed, because it has too many.
 */
function countRequest({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const connection = getConnection(socket);
  if (isFlooded(connection)) socket.destroy();
  if (socket.destroyed) return false;
  let isCounted = true;
  connection.requests++;
  onResponseFinished(response, socket, () => {
    if (isCounted) connection.requests--;
    isCounted = false;
  });
  return true;
}

/** The answers that were sent and that clients have not read yet. */
interface Unread {
  bytes: number;
}

/** Smaller answers are not counted, because those of all connections together take little memory. */
const COUNTED_LENGTH = 64 * 1024;
/** Longer answers are encoded in turns. */
const LONG_TEXT = UNITS_PER_TURN * BYTES_PER_UNIT;

/** Sends an answer. The length is set explicitly, because Node would use chunked encoding otherwise. */
function sendAnswer(response: ServerResponse, answer: string | null, unread: Unread): void {
  const text = answer ?? '';
  const length = Buffer.byteLength(text);
  if (text.length >= COUNTED_LENGTH) {
    unread.bytes += length;
    let isCounted = true;
    onResponseFinished(response, response.req.socket, () => {
      if (isCounted) unread.bytes -= length;
      isCounted = false;
    });
  }
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': length });
  if (text.length <= LONG_TEXT) response.end(text);
  else void writePieces(response, text);
}

/** Encodes a long answer in turns. */
async function writePieces(response: ServerResponse, text: string): Promise<void> {
  const work = createUnaccountedWork();
  for (let from = 0; from < text.length && !response.destroyed; ) {
    const turn = work.take(UNITS_PER_TURN);
    if (turn !== null) await turn;
    const to = endOfPiece(text, from + LONG_TEXT);
    response.write(text.slice(from, to));
    from = to;
  }
  response.end();
}

/** A character of two code units is not cut. */
function endOfPiece(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  return at < text.length && last >= 0xd800 && last <= 0xdbff ? at + 1 : at;
}

type HttpRefusal = (response: ServerResponse) => void;

/** Returns the refusal of a request, or null when it is one of the four kinds that are served. */
function refuse(request: IncomingMessage, unread: number): HttpRefusal | null {
  const { method, url } = request;
  if (method === 'OPTIONS') return null;
  const path = url?.split('?', 1)[0];
  if (path === '/health') return method === 'GET' ? null : methodNotAllowed('GET, OPTIONS');
  if (path !== '/') return (response) => sendText(response, 404, 'JSON-RPC is served at /');
  if (method !== 'POST') return methodNotAllowed('POST, OPTIONS');
  if (!isJson(request.headers['content-type'])) {
    const given = formatForError(request.headers['content-type']);
    return (response) => sendText(response, 415, `the Content-Type must be application/json, got ${given}`);
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && !isIdentity(encoding)) return encodingRefused(encoding);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return sendTooLarge;
  if (unread > MAX_UNREAD_BYTES) {
    return (response) => sendText(response, 503, 'too many answers are waiting to be read; try again');
  }
  return null;
}

function encodingRefused(encoding: string): HttpRefusal {
  const given = formatForError(encoding);
  return (response) => {
    response.setHeader('accept-encoding', 'identity');
    const text = `the Content-Encoding must be left out, because requests are not decompressed, got ${given}`;
    sendText(response, 415, text);
  };
}

function methodNotAllowed(allow: string): HttpRefusal {
  return (response) => {
    response.setHeader('allow', allow);
    sendText(response, 405, 'JSON-RPC calls are sent with POST; GET serves only /health');
  };
}

function isJson(contentType: string | undefined): boolean {
  const json = 'application/json';
  return contentType === json || contentType?.split(';', 1)[0]?.trim().toLowerCase() === json;
}

function readBody(request: IncomingMessage, response: ServerResponse, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else if (!response.headersSent) sendTooLarge(response);
  });
  request.on('end', () => {
    if (size > MAX_BODY_BYTES) return;
    const [first] = chunks;
    done((chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString('utf8'));
  });
}

/** Calls `go` after the delay, unless the client leaves before. */
function afterDelay(delayMs: number, after: Timers['after'], response: ServerResponse, go: () => void): void {
  const cancel = after(delayMs, () => {
    response.off('close', cancel);
    go();
  });
  response.once('close', cancel);
}

/** Answers with the status of a fault, as a proxy in front of a node would. */
function sendStruck(response: ServerResponse, status: FaultStatus): void {
  if (status === 429 || status === 503) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  sendText(response, status, STATUS_CODES[status] ?? String(status));
}

function sendTooLarge(response: ServerResponse): void {
  response.setHeader('connection', 'close');
  sendText(response, 413, `a request may have at most ${MAX_BODY_BYTES} bytes`);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requested = request.headers['access-control-request-headers'];
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, GET, OPTIONS',
    'access-control-allow-headers': requested ?? 'content-type',
    'access-control-max-age': CORS_SECONDS,
  });
  response.end();
}
