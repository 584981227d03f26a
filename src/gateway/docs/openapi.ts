import swagger, { type SwaggerTransform } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { documentedQuery } from '../../products/parameters.ts';
import { API_KEY_HEADER } from '../pipeline/caller/caller.ts';
import type {} from '../pipeline/route.ts';

type Json = Record<string, unknown>;

export interface OpenApiDocument extends Json {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly securitySchemes: Security['schemes'] };
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  /** The right that a caller of the admin interface needs. */
  readonly 'x-right'?: string;
  readonly security?: readonly Json[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Json };
  readonly responses: Record<string, { readonly description: string; readonly content?: Json }>;
}

const STATUS_TEXT: Readonly<Record<string, string>> = {
  200: 'Success.',
  400: 'The request is invalid. The message says what is wrong and how to fix it.',
  401: 'The credential is unknown.',
  403: 'The credential does not give access to this endpoint.',
  404: 'Not found.',
  429: 'Too many requests for the plan in 60 seconds.',
  500: 'A defect of Sluice. The log has its cause under the request id.',
  503: 'A dependency does not answer, or too many requests are in flight. `retry-after` says when to try again.',
};

const GATEWAY_ERROR = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};

/** How callers authenticate. */
interface Security {
  readonly any: readonly Record<string, string[]>[];
  readonly schemes: Record<
    string,
    | { readonly type: 'apiKey'; readonly in: string; readonly name: string }
    | { readonly type: 'http'; readonly scheme: string }
  >;
}

/** A key, or none. */
const PUBLIC_SECURITY: Security = {
  any: [{}, { ApiKey: [] }],
  schemes: { ApiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER } },
};

/** The operator's credential, or a member's token. */
export const ADMIN_SECURITY: Security = {
  any: [{ Bearer: [] }],
  schemes: { Bearer: { type: 'http', scheme: 'bearer' } },
};

/** The key of a schema from which `@fastify/swagger` takes the description of the answer. */
const ANSWER_TEXT = 'x-response-description';
/** The order in which the parameters of an operation are listed. */
const PLACES = ['path', 'query', 'header'];

/**
 * Documents every route that is registered after the promise has resolved.
 * @param refusals - Returns the statuses with which the steps before the handler may answer.
 * @returns a function that builds the OpenAPI 3.1 document from the routes' own schemas. Call it when the server is ready.
 */
export async function documentRoutes(
  app: FastifyInstance,
  version: string,
  refusals: (free: boolean) => readonly number[],
  security: Security = PUBLIC_SECURITY,
): Promise<() => OpenApiDocument> {
  const transform: SwaggerTransform = ({ schema, url, route }) => ({
    url,
    schema: describeOperation(schema ?? {}, url, route, refusals(route.config?.free === true)),
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: { title: 'Sluice', version, description: 'A self-hosted DeFi gateway for Solana.' },
      servers: [{ url: '/' }],
      security: [...security.any],
      components: { securitySchemes: security.schemes },
    },
    convertConstToEnum: false,
    exposeHeadRoutes: false,
    transform,
  });
  return () => withParametersInOrder(app.swagger() as unknown as OpenApiDocument);
}

/** Adds to a route's schema what the document shows of the route. */
function describeOperation(
  schema: FastifySchema,
  url: string,
  { method, config }: RouteOptions,
  refusals: readonly number[],
): FastifySchema {
  if (schema.hide === true) return schema;
  const operationId = `${String(method).toLowerCase()}${url.replaceAll(/\W+(\w?)/g, (_, c: string) => c.toUpperCase())}`;
  const own = Object.entries((schema.response ?? { 200: {} }) as Record<string, Json>).map(
    ([status, answer]) => [
      status,
      { ...answer, [ANSWER_TEXT]: answer.description ?? STATUS_TEXT[status] ?? 'Answer.' },
    ],
  );
  const refused = refusals.map((status) => [
    status,
    { ...GATEWAY_ERROR, [ANSWER_TEXT]: STATUS_TEXT[status] ?? 'Refused.' },
  ]);
  return {
    ...schema,
    ...(schema.querystring === undefined
      ? {}
      : { querystring: documentedQuery(schema.querystring as TSchema) }),
    operationId: schema.operationId ?? operationId,
    tags: schema.tags ?? [],
    ...(config?.right === undefined ? {} : { 'x-right': config.right }),
    ...(config?.right === 'open' ? { security: [] } : {}),
    response: Object.fromEntries([...own, ...refused]),
  };
}

/** Orders the parameters: the plugin lists the query before the path, and leaves out an empty list. */
function withParametersInOrder(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const given: readonly Parameter[] = operation.parameters ?? [];
        const parameters = PLACES.flatMap((place) => given.filter((one) => one.in === place));
        return [method, { ...operation, parameters }];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
