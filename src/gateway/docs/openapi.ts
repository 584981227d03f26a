import swagger, { type SwaggerTransform } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { documentMembers } from '../../products/parameters/parameter-schema.ts';
import { API_KEY_HEADER } from '../pipeline/request/caller.ts';
import { DEFAULT_CREDITS } from '../pipeline/request/route.ts';
import { type Examples, addExample } from './examples.ts';
import { mapOperations, nameSchemas, toPascalCase } from './named-schemas.ts';

type OpenApiJson = Record<string, unknown>;

export interface OpenApiDocument extends OpenApiJson {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly securitySchemes: Security['schemes'];
    /** Every object that a body holds, by its name. */
    readonly schemas: Record<string, OpenApiJson>;
  };
  readonly tags: readonly Tag[];
}

/** A group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: OpenApiJson;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  /** The right that a caller of the admin interface needs. */
  readonly 'x-right'?: string;
  /** The limit that a request counts towards. Absent where requests are not counted. */
  readonly 'x-bucket'?: string;
  /** Credits that an answered request costs a caller with a key. Absent where requests are not counted. */
  readonly 'x-credits'?: number;
  readonly security?: readonly OpenApiJson[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters: readonly OperationParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiJson };
  readonly responses: Record<string, { readonly description: string; readonly content?: OpenApiJson }>;
}

/** What a status means where an endpoint says nothing else. */
export const STATUS_TEXT: Readonly<Record<string, string>> = {
  200: 'Success.',
  400: 'The request is invalid. The message says what is wrong and how to fix it.',
  401: 'The credential is unknown.',
  403: 'The credential does not give access to this endpoint.',
  404: 'Not found.',
  408: 'The request did not arrive completely in time.',
  413: 'The body is too large.',
  414: 'A value in the path is too long.',
  415: 'The body is of a type, or has an encoding, that is not read.',
  429: 'Too many requests for the plan in 60 seconds.',
  431: 'The headers are too many or too large.',
  500: 'A defect of Sluice. The log has its cause under the request id.',
  503: 'A dependency does not answer, or too many requests are in flight. `retry-after` says when to try again.',
};

const DESCRIPTION =
  'A self-hosted DeFi gateway for Solana. In the body of a request, null for an optional field means that it is absent.';

/** The body of the gateway's own refusals. */
const GATEWAY_ERROR = {
  title: 'GatewayError',
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'The status.' },
    message: { type: 'string', description: 'A sentence, or a text that clients compare.' },
    details: { type: 'string', description: 'A sentence with the values of the request, for such a text.' },
  },
};
/** Where this is a refusal, requests are counted. */
const TOO_MANY_REQUESTS = 429;
/** Every request may be answered with these, whatever its endpoint is. */
const REFUSALS_OF_ALL = [408, 431, 500];
/** A body may be answered with these. */
const REFUSALS_OF_BODIES = [400, 413, 415];
/** A path with a value in it may be answered with this. */
const REFUSALS_OF_VALUES_IN_PATHS = [414];

/** How callers authenticate. */
interface Security {
  readonly any: readonly Record<string, string[]>[];
  readonly schemes: Record<
    string,
    | { readonly type: 'apiKey'; readonly in: string; readonly name: string }
    | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  >;
}

/** A key, or none. */
const PUBLIC_SECURITY: Security = {
  any: [{}, { ApiKey: [] }],
  schemes: {
    ApiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER },
    Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  },
};

/** What an endpoint needs whose callers prove who they are: a token, with a key or without. */
export const BEARER_SECURITY: Security['any'] = [{ Bearer: [] }, { ApiKey: [], Bearer: [] }];

/** The operator's credential, or a member's token. */
export const ADMIN_SECURITY: Security = {
  any: [{ Bearer: [] }],
  schemes: { Bearer: { type: 'http', scheme: 'bearer' } },
};

const NO_EXAMPLES: Examples = { values: {}, wallet: null };

/** The key of a schema from which `@fastify/swagger` takes the description of the answer. */
const ANSWER_TEXT = 'x-response-description';
/** The order in which the parameters of an operation are listed. */
const PLACES = ['path', 'query', 'header'];

/** The groups of the operations that no product has. */
export const GATEWAY_TAGS = [
  { name: 'health', description: 'Whether the instance is alive, ready and healthy.' },
] as const satisfies readonly Tag[];
export const ADMIN_TAGS = [
  ...GATEWAY_TAGS,
  { name: 'sessions', description: 'Signing in and out, for browsers.' },
  { name: 'platform', description: 'Organisations, teams, members, keys, rules, logs and usage.' },
  { name: 'instance', description: 'This instance itself.' },
  { name: 'makers', description: 'Market makers: their registration, checks and conduct.' },
  { name: 'landings', description: 'What became of submitted transactions.' },
  {
    name: 'orders',
    description:
      'The orders that were given out, their executions, the fills of makers, and orders that wait.',
  },
  { name: 'vaults', description: 'The keys that Sluice keeps for wallets with orders that wait.' },
  { name: 'token decisions', description: "The operator's decisions about tokens." },
  { name: 'prediction markets', description: 'The events of prediction markets, and how they end.' },
  { name: 'network', description: 'Controls of the embedded network, for tests.' },
] as const satisfies readonly Tag[];

/** The name of a group of the admin interface. */
export type AdminTag = (typeof ADMIN_TAGS)[number]['name'];

/** What the document says beside the routes. */
export interface DocumentOptions {
  readonly version: string;
  /** Returns the statuses with which the steps before the handler may answer. */
  readonly refusals: (free: boolean) => readonly number[];
  /** The tags that routes name, in the order of the document. */
  readonly tags: readonly Tag[];
  readonly security?: Security;
  readonly examples?: Examples;
}

/**
 * Documents every route that is registered after the promise has resolved.
 * Returns a function that builds the OpenAPI 3.1 document from the routes' own schemas. Call it when the server is
 * ready.
 */
export async function documentRoutes(
  app: FastifyInstance,
  { version, refusals, tags, security = PUBLIC_SECURITY, examples = NO_EXAMPLES }: DocumentOptions,
): Promise<() => OpenApiDocument> {
  const transform: SwaggerTransform = ({ schema, url, route }) => ({
    url,
    schema: describeOperation(schema ?? {}, url, route, refusals(route.config?.free === true)),
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: { title: 'Sluice', version, description: DESCRIPTION },
      servers: [{ url: '/' }],
      security: [...security.any],
      tags: tags.map(({ name, description }) => ({ name, description })),
      components: { securitySchemes: security.schemes },
    },
    convertConstToEnum: false,
    exposeHeadRoutes: false,
    transform,
  });
  return () => {
    const { document, schemas } = nameSchemas(
      mapOperations(app.swagger() as unknown as OpenApiDocument, (operation: Operation) =>
        addExample(orderParameters(operation), examples),
      ),
    );
    return { ...document, components: { ...document.components, schemas } };
  };
}

/** Adds to a route's schema what the document shows of the route. */
function describeOperation(
  schema: FastifySchema,
  url: string,
  { method, config }: RouteOptions,
  refusals: readonly number[],
): FastifySchema {
  if (schema.hide === true) return schema;
  const own = (schema.response ?? { 200: {} }) as Record<string, OpenApiJson>;
  const byGateway = collectRefusalStatuses(schema, config, refusals);
  const statuses = [...new Set([...Object.keys(own).map(Number), ...byGateway])].sort(
    (one, other) => one - other,
  );
  const response = statuses.map((status) => {
    const said = own[status]?.description ?? STATUS_TEXT[status] ?? 'Answer.';
    return [status, { ...toAnswerSchema(own[status], byGateway.has(status)), [ANSWER_TEXT]: said }];
  });
  return {
    ...schema,
    ...(schema.querystring === undefined
      ? {}
      : { querystring: documentMembers(schema.querystring as TSchema) }),
    ...(schema.body === undefined ? {} : { body: documentMembers(schema.body as TSchema) }),
    operationId: schema.operationId ?? createOperationId(String(method), url),
    tags: schema.tags ?? [],
    ...(config?.right === undefined ? {} : { 'x-right': config.right }),
    ...(config?.right === 'open' ? { security: [] } : {}),
    ...(refusals.includes(TOO_MANY_REQUESTS) ? describeCost(config) : {}),
    response: Object.fromEntries(response),
  };
}

/** Says what a request counts towards, and what it costs: an endpoint that states nothing has these defaults. */
function describeCost(config: RouteOptions['config']): OpenApiJson {
  return { 'x-bucket': config?.bucket ?? 'main', 'x-credits': config?.credits ?? DEFAULT_CREDITS };
}

/** Returns the statuses with which the gateway itself may answer a request to a route, in its own form. */
function collectRefusalStatuses(
  { body, params }: FastifySchema,
  config: RouteOptions['config'],
  refusals: readonly number[],
): ReadonlySet<number> {
  const statuses = new Set([
    ...refusals,
    ...REFUSALS_OF_ALL,
    ...(body === undefined ? [] : REFUSALS_OF_BODIES),
    ...(params === undefined ? [] : REFUSALS_OF_VALUES_IN_PATHS),
  ]);
  // A route that has its own form for these never shows the gateway's.
  if (config?.onUnreadable !== undefined) statuses.delete(400);
  if (config?.onDefect !== undefined) statuses.delete(500);
  return statuses;
}

/** The body of an answer that the route, the gateway or both of them send with one status. */
function toAnswerSchema(own: OpenApiJson | undefined, isGateways: boolean): OpenApiJson {
  if (own === undefined) return GATEWAY_ERROR;
  return isGateways ? { anyOf: [own, GATEWAY_ERROR] } : own;
}

/** Names an operation that has no name of its own after its method and path. */
function createOperationId(method: string, url: string): string {
  return toPascalCase(`${method.toLowerCase()} ${url}`);
}

/** Orders the parameters: the plugin lists the query before the path, and leaves out an empty list. */
function orderParameters(operation: Operation): Operation {
  const given: readonly OperationParameter[] = operation.parameters ?? [];
  return { ...operation, parameters: PLACES.flatMap((place) => given.filter((one) => one.in === place)) };
}
