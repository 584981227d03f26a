import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { API_KEY_HEADER, type KnowsKey } from './api-keys.ts';
import { answerCors } from './cors.ts';
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

export interface ServerOptions {
  readonly logger: FastifyBaseLogger;
  /** Adds the steps and routes that make this server what it is. */
  readonly register: (app: FastifyInstance) => void;
}

/** What the public and the admin server have in common: ids, bounds, error bodies, security headers, one log line. */
export async function createServer({ logger, register }: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
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
  app.addHook('onRequest', async (request, reply) => addOwnHeaders(request, reply));
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request;
    request.log.info(
      { method, path: url.split('?', 1)[0], status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    );
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

/** The steps that every public request passes before its handler, in this order. */
export function addPublicSteps(app: FastifyInstance, knowsKey: KnowsKey): void {
  app.addHook('onRequest', async (request, reply) => (answerCors(request, reply) ? reply : undefined));
  app.addHook('onRequest', async (request, reply) => {
    const key = request.headers[API_KEY_HEADER];
    if (key === undefined || (typeof key === 'string' && knowsKey(key))) return undefined;
    return sendGatewayError(reply, 401, 'Unauthorized');
  });
}

/** Lets requests under way end, for a few seconds, and then cuts them off. */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
  await app.close();
  clearTimeout(cutOff);
}
