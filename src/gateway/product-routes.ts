import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { OtherAnswer } from '../products/endpoint.ts';
import type { RunningEndpoint, RunningProduct } from '../products/product.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Makes a route of every endpoint of the product. */
export function registerProduct(app: FastifyInstance, { name, endpoints }: RunningProduct): void {
  for (const running of endpoints) registerEndpoint(app, name, running);
}

function registerEndpoint(app: FastifyInstance, tag: string, { endpoint, handle }: RunningEndpoint): void {
  const { method, path, bucket, credits, timeoutMs, repeatKey, onInvalid } = endpoint;
  app.route({
    method,
    url: path,
    ...(timeoutMs === null ? {} : { handlerTimeout: timeoutMs }),
    attachValidation: onInvalid !== null,
    config: { bucket, credits, ...(repeatKey === null ? {} : { repeatKey }) },
    schema: schemaOf(tag, endpoint),
    handler:
      onInvalid === null
        ? async (request, reply) => bodyOf(await handle(request), reply)
        : async (request, reply) => {
            const { validationError } = request;
            if (validationError === undefined) return bodyOf(await handle(request), reply);
            return bodyOf(refusalOf(request, validationError, onInvalid), reply);
          },
  });
}

/** Sets the status and the type of an answer, and returns what is to be sent. */
function bodyOf(answer: unknown, reply: FastifyReply): unknown {
  if (answer instanceof OtherAnswer) {
    reply.code(answer.status);
    return answer.body;
  }
  if (Buffer.isBuffer(answer)) reply.type(JSON_TYPE);
  return answer;
}

function refusalOf(
  { body }: FastifyRequest,
  error: Error,
  onInvalid: (body: unknown, error: Error) => OtherAnswer | null,
): OtherAnswer {
  const refusal = onInvalid(body, error);
  if (refusal === null) throw error;
  return refusal;
}

function schemaOf(
  tag: string,
  { operationId, summary, description, query, params, body, responses }: RunningEndpoint['endpoint'],
): FastifySchema {
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(query === null ? {} : { querystring: query }),
    ...(params === null ? {} : { params }),
    ...(body === null ? {} : { body }),
    response: responses,
  };
}
