import type { RequestListener } from 'node:http';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type JsonTooDeep, requireBoundedDepth } from '../../common/bounded-json.ts';
import { boundConnections } from '../../common/collections/connections.ts';
import { openHttpsServer } from '../http/https-server.ts';
import { answerError, answerMalformed, sendGatewayError } from '../http/errors.ts';
import { validateRequestHead } from '../http/validate-request-head.ts';
import { watchMethods } from '../http/methods.ts';
import { newRequestId, REQUEST_ID_HEADER } from '../http/request-id.ts';
import { RequestLog } from '../http/request-log.ts';
import type { TlsOptions } from '../http/tls.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { redactPath } from '../http/redact-path.ts';
import { trustIn } from '../http/trusted-proxies.ts';
import { CLIENT_CLOSED_REQUEST, addInFlightRequests } from '../pipeline/in-flight-requests.ts';
import { compileValidator } from '../http/validation.ts';

/** How much a client may send, and how slowly. */
export interface Bounds {
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** In which a request must have been sent whole; its headers in two thirds of it. */
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
}

/** The largest body that a product takes is a handful of transactions of 1,232 bytes, in base64. */
export const DEFAULT_BOUNDS: Bounds = {
  maxBodyBytes: 64 * 1024,
  maxHeaderBytes: 16 * 1024,
  requestTimeoutMs: 15_000,
  idleTimeoutMs: 72_000,
  maxConnections: 10_000,
};
/** An address that is alone may have half of the connections, two a third each, and so on. */
const CONNECTIONS_FACTOR = 1;
const HANDLER_TIMEOUT_MS = 30_000;
/** Requests that are too slow are looked for at least this often, within their own time. */
const SLOW_CHECK_MS = 1_000;
const ID_IN_LOG = 'reqId';
/** At which a line is logged for every answer. */
const LEVELS_OF_ANSWERS: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);
const CLOSE_GRACE_MS = 5_000;
const SWEEP_MS = 50;

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  /** Addresses and networks whose word on where a request comes from is taken. */
  readonly trustedProxies: readonly string[];
  /** Default: `DEFAULT_BOUNDS`. */
  readonly bounds?: Bounds;
  /** Default: plain HTTP/1.1. */
  readonly tls?: TlsOptions | null;
  /** What the target of a request stands for; default itself. */
  readonly resolvePath?: (url: string) => string;
  /** Milliseconds that an answer may take, but of routes with a limit of their own. Default: 30 s. */
  readonly longestAnswerMs?: number;
  /** Adds the steps and routes that make this server what it is. */
  readonly register: (app: FastifyInstance) => void | Promise<void>;
}

/** What the public and the admin server have in common: ids, bounds, error bodies, security headers, one log line. */
export async function createServer({
  logger,
  trustedProxies,
  bounds = DEFAULT_BOUNDS,
  tls = null,
  resolvePath = (url) => url,
  longestAnswerMs = HANDLER_TIMEOUT_MS,
  register,
}: ServerOptions): Promise<FastifyInstance> {
  const { requestTimeoutMs, idleTimeoutMs, maxHeaderBytes } = bounds;
  const headersTimeoutMs = Math.ceil((requestTimeoutMs * 2) / 3);
  const checkEveryMs = Math.min(SLOW_CHECK_MS, headersTimeoutMs);
  const silenceMs = Math.max(idleTimeoutMs, longestAnswerMs + requestTimeoutMs);
  let stopReloading: (() => void) | null = null;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: ID_IN_LOG }),
    childLoggerFactory: (servers, bindings, options) => new RequestLog(servers, bindings, options),
    genReqId: newRequestId,
    requestIdHeader: false,
    rewriteUrl: ({ url }) => resolvePath(url ?? '/'),
    // HEAD is 405 as for the public service; health has it, because monitors ask by it.
    exposeHeadRoutes: false,
    // Clients end a path as they like.
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: trustedProxies.length === 0 ? false : trustIn(trustedProxies),
    bodyLimit: bounds.maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionTimeout: silenceMs,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      // Node's own answer would have neither an id nor a body; ours is given with the other problems of a head.
      requireHostHeader: false,
    },
    ...(tls === null
      ? {}
      : {
          serverFactory: (handler: RequestListener) => {
            const opened = openHttpsServer(
              tls,
              { ...bounds, headersTimeoutMs, checkEveryMs, silenceMs },
              handler,
            );
            stopReloading = opened.stopReloading;
            return opened.server;
          },
        }),
    // A path that cannot be decoded is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      addOwnHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  boundConnections(app.server, {
    max: bounds.maxConnections,
    factor: CONNECTIONS_FACTOR,
    ...(trustedProxies.length === 0 ? {} : { isExempt: trustIn(trustedProxies) }),
  });
  // What a client expects besides `100-continue` may be passed over, and then it is answered like everybody else.
  app.server.on('checkExpectation', (...asked) => app.server.emit('request', ...asked));
  app.addHook('onClose', async () => stopReloading?.());
  app.setValidatorCompiler(compileValidator);
  app.removeContentTypeParser('text/plain');
  boundJsonDepth(app);
  app.setErrorHandler(answerError);
  app.decorateRequest('requestContext', null);
  addInFlightRequests(app, { limitMs: longestAnswerMs, every: everySecond });
  app.addHook('onRequest', (request, reply, done) => {
    addOwnHeaders(request, reply);
    const problem = validateRequestHead(request.raw);
    if (problem === null) done();
    else sendGatewayError(reply, problem.status, problem.message);
  });
  if (LEVELS_OF_ANSWERS.has(logger.level)) {
    app.requestFinishedListeners.push((request, reply, status) => {
      const { id, method, url } = request;
      const line = { method, path: redactPath(url), status, ms: reply.elapsedTime };
      // By the server's logger, because one for the request would be made for this line alone.
      app.log.info({ [ID_IN_LOG]: id, ...line }, status === CLIENT_CLOSED_REQUEST ? 'abandoned' : 'answered');
    });
  }
  const refuseOtherMethods = watchMethods(app);
  await register(app);
  await app.after();
  refuseOtherMethods();
  await app.ready();
  return app;
}

/** Whatever walks a body may do so by recursion. */
function boundJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      requireBoundedDepth(body);
    } catch (error) {
      done(error as JsonTooDeep);
      return;
    }
    parse(request, body, done);
  });
}

function everySecond(work: () => void): () => void {
  const timer = setInterval(work, SLOW_CHECK_MS).unref();
  return () => clearInterval(timer);
}

function addOwnHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header(REQUEST_ID_HEADER, request.id);
  addSecurityHeaders(reply);
}

/** Lets requests under way end, for a few seconds or `longestMs`, and then cuts them off. */
export async function closeServer(app: FastifyInstance, longestMs = CLOSE_GRACE_MS): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), longestMs);
  // A connection whose last answer went out after the closing began would stay as long as its client likes.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(cutOff);
}
