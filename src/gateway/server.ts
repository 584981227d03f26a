import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { answerError, answerMalformed, sendGatewayError } from './errors.ts';
import { watchMethods } from './methods.ts';
import { newRequestId, REQUEST_ID_HEADER } from './request-id.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { compileValidator } from './validation.ts';

/** The largest body that a product takes is a handful of transactions of 1,232 bytes, in base64. */
const BODY_LIMIT = 64 * 1024;
const HEADERS_LIMIT = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const HANDLER_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 10_000;
const CLOSE_GRACE_MS = 5_000;
const SWEEP_MS = 50;

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  /** Addresses and networks whose word on where a request comes from is taken. */
  readonly trustedProxies: readonly string[];
  /** Adds the steps and routes that make this server what it is. */
  readonly register: (app: FastifyInstance) => void;
}

/** What the public and the admin server have in common: ids, bounds, error bodies, security headers, one log line. */
export async function createServer({
  logger,
  trustedProxies,
  register,
}: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
    http: { maxHeaderSize: HEADERS_LIMIT, headersTimeout: HEADERS_TIMEOUT_MS },
    // A path that cannot be decoded is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      addOwnHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.setValidatorCompiler(compileValidator);
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(answerError);
  app.addHook('onRequest', (request, reply, done) => {
    addOwnHeaders(request, reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    request.log.info(
      { method, path: url.split('?', 1)[0], status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    );
    done();
  });
  const refuseOtherMethods = watchMethods(app);
  register(app);
  await app.after();
  refuseOtherMethods();
  app.setNotFoundHandler((request, reply) =>
    sendGatewayError(reply, 404, `${request.url.split('?', 1)[0]} is not a path of this server`),
  );
  await app.ready();
  return app;
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
