import type { FastifyInstance, RouteOptions } from 'fastify';
import { API_KEY_HEADER } from './pipeline/caller.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** One line, shown beside the path. */
    readonly summary?: string;
    readonly description?: string;
    readonly operationId?: string;
    readonly tags?: readonly string[];
    readonly deprecated?: boolean;
    /** Leaves the route out of the document. */
    readonly hide?: boolean;
  }
}

type Json = Record<string, unknown>;

export interface OpenApiDocument extends Json {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Record<string, Record<string, Operation>>;
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
  /** What the admin interface asks a caller to be allowed. */
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
  400: 'The request is wrong; the message says what and how to mend it.',
  401: 'The credential is not one that is known.',
  403: 'The credential does not open this endpoint.',
  404: 'Not found.',
  429: 'Too many requests for the plan in 60 seconds.',
  503: 'A part that is needed does not answer, or too many requests are under way; `retry-after` says when to come again.',
};

const GATEWAY_ERROR = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};

/** How callers say who they are. */
interface Security {
  readonly any: readonly Json[];
  readonly schemes: Json;
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

/**
 * Collects the schemas of every route registered after this call. The function that it returns builds the OpenAPI 3.1
 * document, whose schemas are the routes' own: JSON Schema 2020-12 is what both speak.
 * @param refusals statuses with which the steps before the handler may answer
 */
export function collectRoutes(
  app: FastifyInstance,
  version: string,
  refusals: (free: boolean) => readonly number[],
  security: Security = PUBLIC_SECURITY,
): () => OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide === true) return;
    for (const method of [route.method].flat().filter((name) => name !== 'HEAD' && name !== 'OPTIONS')) {
      const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: operationOf(route, method, path, refusals(route.config?.free === true)),
      };
    }
  });
  return () => ({
    openapi: '3.1.1',
    info: { title: 'Sluice', version, description: 'A self-hosted DeFi gateway for Solana.' },
    servers: [{ url: '/' }],
    security: security.any,
    paths,
    components: { securitySchemes: security.schemes },
  });
}

function operationOf(
  { schema = {}, config }: RouteOptions,
  method: string,
  path: string,
  refusals: readonly number[],
): Operation {
  const { summary, description, deprecated, body } = schema;
  return {
    operationId:
      schema.operationId ??
      `${method.toLowerCase()}${path.replaceAll(/\W+(\w?)/g, (_, c: string) => c.toUpperCase())}`,
    tags: schema.tags ?? [],
    ...(config?.right === undefined ? {} : { 'x-right': config.right }),
    ...(config?.right === 'open' ? { security: [] } : {}),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    parameters: [
      ...parametersOf('path', schema.params),
      ...parametersOf('query', schema.querystring),
      ...parametersOf('header', schema.headers),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(schema.response, refusals),
  };
}

function parametersOf(place: string, schema: unknown): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema: rest,
  }));
}

function responsesOf(response: unknown, refusals: readonly number[]): Operation['responses'] {
  const own = Object.entries((response ?? { 200: {} }) as Record<string, Json>).map(([status, schema]) => [
    status,
    {
      description: String(schema.description ?? STATUS_TEXT[status] ?? 'Answer.'),
      content: jsonContent(schema),
    },
  ]);
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      refusals.map((status) => [
        status,
        { description: STATUS_TEXT[status] ?? 'Refused.', content: jsonContent(GATEWAY_ERROR) },
      ]),
    ),
  };
}

function jsonContent(schema: unknown): Json {
  return { 'application/json': { schema } };
}
