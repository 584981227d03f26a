import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  preParsingHookHandler,
  RouteOptions,
} from 'fastify';
import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { type EndpointRequest, EventStream, OtherAnswer } from '../products/endpoint.ts';
import { FileAnswer, type RawBodyForm } from '../products/raw-body.ts';
import { runAs } from '../common/party.ts';
import { EXAMPLE } from './docs/examples.ts';
import { BEARER_SECURITY } from './docs/openapi.ts';
import { toPascalCase } from './docs/named-schemas.ts';
import { createUnknownParameterHook } from './http/unknown-parameters.ts';
import { createEmptyBody, getBodyTypes, readRawBodies } from './http/raw-bodies.ts';
import type { RunningEndpoint, RunningGuard, RunningProduct } from '../products/product.ts';
import { getRequestContext } from './pipeline/request/request-context.ts';
import type { EventStreams } from './streams/event-streams.ts';
import { EVENT_STREAM_TYPE } from './streams/event-text.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Registers a route for each endpoint of a product, and one for each of its aliases, so that every step sees the path that
 * was asked. The pipeline reads the bucket, the credits and the repeat key from the route, and the documentation its
 * schemas.
 * @param namesUnknown - Whether answers name the query parameters that the endpoint does not know, in a header.
 */
export function registerProduct(
  app: FastifyInstance,
  { name, endpoints }: RunningProduct,
  streams: EventStreams,
  namesUnknown = false,
): void {
  for (const running of endpoints) {
    const { rawBody } = running.endpoint;
    if (rawBody === null) registerEndpoint(app, name, running, streams, namesUnknown);
    else
      app.register(async (own) => {
        readRawBodies(own, rawBody, (request, bytes) => {
          getRequestContext(request).bytesReceived = bytes;
        });
        registerEndpoint(own, name, running, streams, namesUnknown);
      });
  }
}

function registerEndpoint(
  app: FastifyInstance,
  tag: string,
  { endpoint, handle, authorize, admit }: RunningEndpoint,
  streams: EventStreams,
  namesUnknown: boolean,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    runAs(request.caller, async () => {
      const answered = await handle(request as EndpointRequest);
      return answered instanceof EventStream
        ? streams.send(answered, request, reply)
        : prepareBody(answered, reply);
    });
  const { method, path, aliases, bucket, credits, timeoutMs, allowsCookies, isOpen, rawBody } = endpoint;
  const { repeatKey, onInvalid, onUnreadable, onDefect, toErrorBody } = endpoint;
  const schema = toRouteSchema(tag, endpoint, authorize !== undefined);
  const preValidation = [
    ...(authorize === undefined ? [] : [createAuthorizeHook(authorize)]),
    ...(rawBody === null ? [] : [createEmptyBodyHook(rawBody)]),
    ...(namesUnknown ? [createUnknownParameterHook(endpoint.query)] : []),
  ];
  const routeTo = (url: string, isAlias: boolean): RouteOptions => ({
    method,
    url,
    ...(timeoutMs === null ? {} : { handlerTimeout: timeoutMs }),
    attachValidation: onInvalid !== null,
    ...(rawBody === null ? {} : { bodyLimit: rawBody.maxBytes }),
    ...(admit === undefined ? {} : { preParsing: createAdmitHook(admit) }),
    ...(endpoint.exactIntegers ? { preHandler: useExactBody } : {}),
    ...(preValidation.length === 0 ? {} : { preValidation }),
    config: {
      bucket,
      credits,
      ...(allowsCookies ? { allowsCookies } : {}),
      ...(isOpen ? ({ free: true, takesPlaces: true, anyOrigin: true } as const) : {}),
      ...(rawBody === null ? {} : { bodyTypes: getBodyTypes(rawBody) }),
      ...(endpoint.exactIntegers ? { exactIntegers: true } : {}),
      ...(repeatKey === null ? {} : { repeatKey }),
      ...(onUnreadable === null ? {} : { onUnreadable }),
      ...(onDefect === null ? {} : { onDefect }),
      ...(toErrorBody === null ? {} : { toErrorBody }),
    },
    schema: isAlias ? createAliasSchema(schema, url, path) : schema,
    handler:
      onInvalid === null
        ? answer
        : async (request, reply) => {
            const { validationError } = request;
            if (validationError === undefined) return answer(request, reply);
            return prepareBody(requireOwnRefusal(request, validationError, onInvalid), reply);
          },
  });
  app.route(routeTo(path, false));
  for (const alias of aliases) app.route(routeTo(alias, true));
}

/** Sends the answer of a guard if it has one. Returns whether it had. */
async function refuse(guard: RunningGuard, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const refusal = await runAs(request.caller, () => guard(request as EndpointRequest));
  if (refusal === null) return false;
  reply.send(prepareBody(refusal, reply));
  return true;
}

/** Returns a hook that asks whether the caller has proved who it is. */
function createAuthorizeHook(authorize: RunningGuard) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    (await refuse(authorize, request, reply)) ? reply : undefined;
}

/** Returns a hook that asks whether the body may come, before it is read. */
function createAdmitHook(admit: RunningGuard): preParsingHookHandler {
  return (request, reply, payload, done) => {
    refuse(admit, request, reply).then((isRefused) => {
      if (!isRefused) done(null, payload);
    }, done);
  };
}

/** Returns a hook that gives an endpoint an empty body of its form where the request has none. */
function createEmptyBodyHook(form: RawBodyForm) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    request.body ??= createEmptyBody(form);
    done();
  };
}

/** Replaces the body, which was validated with rounded integers, by the one with exact integers. */
function useExactBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body = getRequestContext(request).exactBody;
  done();
}

/** The document lists an alias as an operation of its own, with a name of its own: `GetOrderAtUltraV1Order`. */
function createAliasSchema(schema: FastifySchema, alias: string, path: string): FastifySchema {
  return {
    ...schema,
    operationId: `${schema.operationId}At${toPascalCase(alias)}`,
    description: `${schema.description} The same as \`${path}\`.`,
  };
}

/** Sets the status and the content type of the reply, and returns its body. */
function prepareBody(answer: unknown, reply: FastifyReply): unknown {
  if (answer instanceof OtherAnswer) {
    reply.code(answer.status).headers(answer.headers);
    return prepareBody(answer.body, reply);
  }
  if (answer instanceof FileAnswer) return prepareFile(answer, reply);
  if (Buffer.isBuffer(answer)) reply.type(JSON_TYPE);
  return answer;
}

/** Sets the headers of a file, and returns what is sent. */
function prepareFile({ contentType, content, headers }: FileAnswer, reply: FastifyReply): unknown {
  reply.headers(headers).type(contentType);
  if (Buffer.isBuffer(content)) return content;
  reply.header('content-length', content.length);
  return Readable.from(content.chunks, { objectMode: false });
}

/** Asks the endpoint for its own refusal of an invalid request. Throws the validation error if it has none. */
function requireOwnRefusal(
  { body }: FastifyRequest,
  error: Error,
  onInvalid: (body: unknown, error: Error) => OtherAnswer | null,
): OtherAnswer {
  const refusal = onInvalid(body, error);
  if (refusal === null) throw error;
  return refusal;
}

function toRouteSchema(
  tag: string,
  endpoint: RunningEndpoint['endpoint'],
  needsBearer: boolean,
): FastifySchema {
  const { operationId, summary, description, example } = endpoint;
  const { query, params, body, rawBody, responses } = endpoint;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(needsBearer ? { security: BEARER_SECURITY } : {}),
    [EXAMPLE]: example,
    ...(query === null ? {} : { querystring: query }),
    ...(params === null ? {} : { params }),
    ...(body === null ? {} : { body }),
    ...(rawBody === null ? {} : { consumes: [...getBodyTypes(rawBody)], body: toRawBodySchema(rawBody) }),
    response: { ...responses, 200: toAnswerSchema(endpoint) },
  };
}

/** Returns the schema of a 200, which names the media types of what is not JSON. */
function toAnswerSchema({ responses, streams, fileTypes }: RunningEndpoint['endpoint']): unknown {
  const schema = responses[200];
  if (streams) return { description: 'Server-sent events.', content: { [EVENT_STREAM_TYPE]: { schema } } };
  if (fileTypes.length === 0) return schema;
  return {
    description: 'The file.',
    content: Object.fromEntries(fileTypes.map((type) => [type, { schema }])),
  };
}

const BINARY: TSchema = Type.Unsafe({ type: 'string', format: 'binary' });

function toRawBodySchema(form: RawBodyForm): TSchema {
  return form.kind === 'multipart' ? form.schema : BINARY;
}
