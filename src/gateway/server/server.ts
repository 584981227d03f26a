import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import { type JsonTooDeep, requireBoundedDepth } from '../../common/bounded-json.ts';
import { isIdentity } from '../../common/content-encoding.ts';
import { removeByteOrderMark } from '../../common/files/text-file.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { boundConnections, type ConnectionTable } from '../../common/collections/connections.ts';
import { mayHaveLongInteger, parseJson } from '../../chain/json-rpc/json.ts';
import { openHttpServer } from '../http/http-server.ts';
import { openHttpsServer } from '../http/https-server.ts';
import { answerError, answerMalformed, sendGatewayError } from '../http/errors.ts';
import { requireFilledSegments } from '../http/filled-segments.ts';
import { watchMethods } from '../http/methods.ts';
import { createRequestId } from '../http/log/request-id.ts';
import { LazyLog, REQUEST_ID_IN_LOG } from '../http/log/lazy-log.ts';
import type { TlsOptions } from '../http/tls.ts';
import { createProxyCheck } from '../http/trusted-proxies.ts';
import {
  getWorkStarter,
  getOrderNoter,
  getEndpointCaller,
  getRequestContext,
  getWork,
} from '../pipeline/request/request-context.ts';
import { addOwnHeaders } from '../pipeline/request-head.ts';
import { buildLazySerializers, compileValidatorLazily } from '../http/lazy-schemas.ts';
import { addCommonSteps } from './steps.ts';

/** Bounds on what a client may send and how slowly. */
export interface Bounds {
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** The whole request must arrive within this time, and its headers within two thirds of it. */
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
}

/** An address may hold as many connections as it leaves free: one address half of them, two a third each, and so on. */
const CONNECTIONS_FACTOR = 1;
const HANDLER_TIMEOUT_MS = 30_000;
/** How often the server looks for slow requests; it looks more often if their time limit is shorter. */
const SLOW_CHECK_MS = 1_000;
/** Log levels at which a line is logged for every answer. */
const LEVELS_OF_ANSWERS: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);
const CLOSE_GRACE_MS = 5_000;
const SWEEP_MS = 50;
/** How long a connection that was opened before the server closes may take to send a request. */
const FIRST_REQUEST_MS = 1_000;

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  /** Addresses and networks of proxies whose `x-forwarded-for` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly bounds: Bounds;
  /** Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions | null;
  /** Returns the target that is routed for a request. Default: its own. */
  readonly targetOf?: (request: IncomingMessage) => string;
  /**
   * Called with every request before it is routed. Returns whether it has taken the request, which is then none of this
   * server. Default: it takes none.
   */
  readonly takeOver?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Milliseconds that an answer may take, unless its route has a limit of its own. Default: 30,000. */
  readonly maxAnswerMs?: number;
  /** Adds the steps and routes of this server. Called once, before the server is ready. */
  readonly register: (app: FastifyInstance) => void | Promise<void>;
}

/**
 * Creates a server with what all servers share: request ids, bounds, error bodies, security headers, and a log line for
 * each answer.
 * Returns the server, ready to listen.
 * @throws OperatorError if the certificate files cannot be used
 */
export async function createServer({
  logger,
  trustedProxies,
  bounds,
  tls = null,
  targetOf = ({ url }) => url ?? '/',
  takeOver,
  maxAnswerMs = HANDLER_TIMEOUT_MS,
  register,
}: ServerOptions): Promise<FastifyInstance> {
  const { requestTimeoutMs, idleTimeoutMs } = bounds;
  const headersTimeoutMs = Math.ceil((requestTimeoutMs * 2) / 3);
  const checkEveryMs = Math.min(SLOW_CHECK_MS, headersTimeoutMs);
  const silenceMs = Math.max(idleTimeoutMs, maxAnswerMs + requestTimeoutMs);
  const loggerInstance: FastifyBaseLogger = new LazyLog(() => logger);
  let stopReloading: (() => void) | null = null;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_IN_LOG }),
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    genReqId: createRequestId,
    requestIdHeader: false,
    // Node presents HTTP/2 requests in the same shape.
    rewriteUrl: (request) => targetOf(request as IncomingMessage),
    // HEAD is answered with 405, as the public service does. Only the health routes have it, because monitors use it.
    exposeHeadRoutes: false,
    trustProxy: trustedProxies.length === 0 ? false : createProxyCheck(trustedProxies),
    bodyLimit: bounds.maxBodyBytes,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
    serverFactory: (handler: RequestListener) => {
      const listener: RequestListener =
        takeOver === undefined
          ? handler
          : (request, response) => {
              if (!takeOver(request, response)) handler(request, response);
            };
      const times = { headersTimeoutMs, checkEveryMs, silenceMs };
      if (tls === null) return openHttpServer({ ...bounds, ...times }, listener);
      const opened = openHttpsServer(tls, { ...bounds, ...times }, listener);
      stopReloading = opened.stopReloading;
      return opened.server;
    },
    // A path that cannot be decoded is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      addOwnHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  const connections = boundConnections(app.server, {
    max: bounds.maxConnections,
    factor: CONNECTIONS_FACTOR,
    ...(trustedProxies.length === 0 ? {} : { isExempt: createProxyCheck(trustedProxies) }),
  });
  tables.set(app, connections);
  // A server may ignore any expectation other than `100-continue`, and answer the request as usual.
  app.server.on('checkExpectation', (...asked) => app.server.emit('request', ...asked));
  app.addHook('onClose', async () => stopReloading?.());
  app.setValidatorCompiler(compileValidatorLazily);
  app.removeContentTypeParser('text/plain');
  refuseEncodedBodies(app);
  ignoreTypeOfNoBody(app);
  boundJsonDepth(app);
  app.setErrorHandler(answerError);
  app.decorateRequest('requestContext', null);
  app.decorateRequest('caller', { getter: getEndpointCaller });
  app.decorateRequest('work', { getter: getWork });
  app.decorateRequest('noteOrder', { getter: getOrderNoter });
  app.decorateRequest('beginWork', { getter: getWorkStarter });
  addCommonSteps(app, {
    timeLimit: { limitMs: maxAnswerMs, every: repeatEverySecond },
    logsAnswers: LEVELS_OF_ANSWERS.has(logger.level),
  });
  requireFilledSegments(app);
  const refuseOtherMethods = watchMethods(app);
  await register(app);
  await app.after();
  refuseOtherMethods();
  await app.ready();
  return app;
}

/**
 * Refuses compressed bodies. Without that they would be read as text that is no JSON. A proxy that compresses cannot know that
 * they are not decompressed here, so the answer names the encoding that is accepted.
 */
function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = findContentEncoding(request);
    if (encoding === null) {
      done(null, payload);
      return;
    }
    const message = `content-encoding must be left out, because bodies are not decompressed here, got ${formatForError(encoding)}`;
    sendGatewayError(reply.header('accept-encoding', 'identity'), 415, message);
  });
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the encoding of the body; null if it has none. */
function findContentEncoding({ method, headers }: FastifyRequest): string | null {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || WITHOUT_BODY.has(method)) return null;
  return isIdentity(encoding) ? null : encoding;
}

/** Takes no notice of the type of a body that is not there, where none is expected: some clients name one in every request. */
function ignoreTypeOfNoBody(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw, routeOptions } = request;
    if (headers['content-type'] !== undefined && hasNoBody(raw) && routeOptions.schema?.body === undefined) {
      delete raw.headers['content-type'];
    }
    done();
  });
}

/** Whether a request says that it has no body. Over HTTP/2 one without a length may have one. */
function hasNoBody({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return length === '0' || (length === undefined && encoding === undefined && httpVersionMajor === 1);
}

/**
 * Refuses JSON that is nested too deeply, so that code that reads a body may recurse. No body at all is no error where none is
 * expected.
 */
function boundJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients that send the same headers with every request name the type of a body that is not there.
    if (body === '' && request.routeOptions.schema?.body === undefined) {
      done(null, undefined);
      return;
    }
    try {
      requireBoundedDepth(body);
    } catch (error) {
      done(error as JsonTooDeep);
      return;
    }
    const context = getRequestContext(request);
    context.bytesReceived = Buffer.byteLength(body);
    parse(request, body, (error, parsed) => {
      if (error === null && request.routeOptions.config.exactIntegers === true)
        context.exactBody = mayHaveLongInteger(body) ? parseJson(removeByteOrderMark(body)) : parsed;
      done(error, parsed);
    });
  });
}

function repeatEverySecond(work: () => void): () => void {
  const timer = setInterval(work, SLOW_CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** The connections of each server. */
const tables = new WeakMap<FastifyInstance, ConnectionTable>();

/**
 * Closes a server and lets requests in flight finish first.
 * @param graceMs - Milliseconds after which the remaining connections are destroyed.
 */
export async function closeServer(app: FastifyInstance, graceMs = CLOSE_GRACE_MS): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs);
  // A connection whose last answer is sent after closing began would otherwise stay open until its client closes it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  // Node does not count a connection as idle before its first request, which may never come.
  const endSilent = setTimeout(() => tables.get(app)?.closeIdle(), Math.min(graceMs, FIRST_REQUEST_MS));
  await app.close();
  clearTimeout(endSilent);
  clearInterval(sweep);
  clearTimeout(cutOff);
}
