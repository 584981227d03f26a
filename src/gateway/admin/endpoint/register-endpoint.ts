import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EXAMPLE } from '../../docs/examples.ts';
import { onRequestFinished } from '../../pipeline/in-flight-requests.ts';
import { actorOf, requirePrincipal } from '../access/access.ts';
import {
  type AdminEndpoint,
  type AdminRequest,
  HeadedAnswer,
  type RunningAdminEndpoint,
  StreamedAnswer,
} from './admin-endpoint.ts';
import { getAdminExample } from './admin-examples.ts';

const NO_CONTENT = 204;

/** Registers the route of an endpoint. The documentation reads its right and its schemas from the route. */
export function registerAdminEndpoint(
  app: FastifyInstance,
  { tag, endpoint, handle }: RunningAdminEndpoint,
): void {
  const { method, path, right, bodyLimit, timeoutMs, responses } = endpoint;
  app.route({
    method,
    url: path,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(timeoutMs === undefined ? {} : { handlerTimeout: timeoutMs }),
    config: right === undefined ? {} : { right },
    schema: toRouteSchema(tag, endpoint),
    handler: async (request, reply) => {
      const given = await handle(toAdminRequest(request));
      const answer = given instanceof HeadedAnswer ? given.body : given;
      if (given instanceof HeadedAnswer) reply.headers(given.headers);
      if (NO_CONTENT in responses) return reply.code(NO_CONTENT).send(null);
      return answer instanceof StreamedAnswer ? sendStreamed(answer, request, reply) : answer;
    },
  });
}

function toRouteSchema(
  tag: string,
  { method, path, summary, description, query, params, body, responses }: AdminEndpoint<never>,
) {
  return {
    tags: [tag],
    summary,
    [EXAMPLE]: getAdminExample(method, path),
    ...(description === undefined ? {} : { description }),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    ...(Object.keys(responses).length === 0 ? {} : { response: responses }),
  };
}

function toAdminRequest(request: FastifyRequest): AdminRequest {
  return {
    query: request.query,
    params: request.params,
    body: request.body,
    actor: actorOf(request),
    requirePrincipal: () => requirePrincipal(request),
    origin: request.raw,
    log: request.log,
  };
}

function sendStreamed(
  { type, content, onFinished }: StreamedAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  onRequestFinished(request, reply, onFinished);
  return reply.type(type).send(content);
}
