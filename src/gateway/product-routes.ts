import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify';
import { type EndpointRequest, EventStream, OtherAnswer } from '../products/endpoint.ts';
import { runAs } from '../common/party.ts';
import { EXAMPLE } from './docs/examples.ts';
import { BEARER_SECURITY } from './docs/openapi.ts';
import { toPascalCase } from './docs/named-schemas.ts';
import { createUnknownParameterHook } from './http/unknown-parameters.ts';
import type { RunningEndpoint, RunningProduct } from '../products/product.ts';
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
  for (const running of endpoints) registerEndpoint(app, name, running, streams, namesUnknown);
}

function registerEndpoint(
  app: FastifyInstance,
  tag: string,
  { endpoint, handle, authorize }: RunningEndpoint,
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
  const { method, path, aliases, bucket, credits, timeoutMs, allowsCookies } = endpoint;
  const { repeatKey, onInvalid, onUnreadable, onDefect } = endpoint;
  const schema = toRouteSchema(tag, endpoint, authorize !== undefined);
  const refuseUnauthorized =
    authorize === undefined
      ? null
      : async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
          const refusal = await runAs(request.caller, () => authorize(request as EndpointRequest));
          if (refusal === null) return undefined;
          reply.send(prepareBody(refusal, reply));
          return reply;
        };
  const preValidation = [
    ...(refuseUnauthorized === null ? [] : [refuseUnauthorized]),
    ...(namesUnknown ? [createUnknownParameterHook(endpoint.query)] : []),
  ];
  const routeTo = (url: string, isAlias: boolean): RouteOptions => ({
    method,
    url,
    ...(timeoutMs === null ? {} : { handlerTimeout: timeoutMs }),
    attachValidation: onInvalid !== null,
    ...(endpoint.exactIntegers ? { preHandler: useExactBody } : {}),
    ...(preValidation.length === 0 ? {} : { preValidation }),
    config: {
      bucket,
      credits,
      ...(allowsCookies ? { allowsCookies } : {}),
      ...(endpoint.exactIntegers ? { exactIntegers: true } : {}),
      ...(repeatKey === null ? {} : { repeatKey }),
      ...(onUnreadable === null ? {} : { onUnreadable }),
      ...(onDefect === null ? {} : { onDefect }),
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
  if (Buffer.isBuffer(answer)) reply.type(JSON_TYPE);
  return answer;
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
  const { query, params, body, responses, streams } = endpoint;
  const events = {
    description: 'Server-sent events.',
    content: { [EVENT_STREAM_TYPE]: { schema: responses[200] } },
  };
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
    response: streams ? { ...responses, 200: events } : responses,
  };
}
