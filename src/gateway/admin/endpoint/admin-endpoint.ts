import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { AdminAction } from '../../../platform/accounts/roles.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import type { AdminTag } from '../../docs/openapi.ts';
import type { RequestOrigin } from '../../http/local-request.ts';
import type { Principal } from '../access/access.ts';

/** What a handler sees of a request. Each field has the type of its schema, and `unknown` without a schema. */
export interface AdminRequest<Query = unknown, Params = unknown, Body = unknown> {
  readonly query: Query;
  readonly params: Params;
  readonly body: Body;
  /** Who sends the request, as the audit log records it. */
  readonly actor: Actor;
  /** Returns the authenticated sender. @throws Error on an open endpoint, whose sender is unknown */
  readonly requirePrincipal: () => Principal;
  /** The headers and the connection, which say from which browser the request comes. */
  readonly origin: RequestOrigin;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/** An answer with headers of its own. */
export class HeadedAnswer<Body> {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Body;

  constructor(headers: Readonly<Record<string, string | string[]>>, body: Body) {
    this.headers = headers;
    this.body = body;
  }
}

/** An answer that is sent while it is made. */
export class StreamedAnswer {
  readonly type: string;
  readonly content: Readable;
  readonly onFinished: () => void;

  /**
   * @param type - The content type.
   * @param onFinished - Called when the answer was sent, or its client has left.
   */
  constructor(type: string, content: Readable, onFinished: () => void) {
    this.type = type;
    this.content = content;
    this.onFinished = onFinished;
  }
}

/** The body of a 200, or null for a 204. */
type AnswerBody<Responses> = Responses extends { readonly 200: infer Ok extends TSchema }
  ? Static<Ok>
  : Responses extends { readonly 204: TSchema }
    ? null
    : never;

/** The body of an answer, with headers or without, or an answer that is sent while it is made. */
type AdminAnswer<Responses> = StreamedAnswer | HeadedAnswer<AnswerBody<Responses>> | AnswerBody<Responses>;

/** What an endpoint of the admin interface declares beside its schemas and its handler. */
interface AdminEndpointTerms {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the router's syntax, where `:name` is a parameter. */
  readonly path: string;
  /** A phrase that says what the endpoint does. */
  readonly summary: string;
  readonly description?: string;
  /** What a caller needs; `open`: nothing. Default: `DEFAULT_RIGHT`, which only the operator has. */
  readonly right?: AdminAction | 'open';
  /**
   * Of a control of the network: its action in the audit log, of which each success has an entry. Null: it has no entry by this.
   * The changes of the platform write theirs themselves.
   */
  readonly audited?: string | null;
  /** The most bytes of a body. Default: the server's limit. */
  readonly bodyLimit?: number;
  /** Milliseconds that the answer may take. Default: the server's limit. */
  readonly timeoutMs?: number;
}

/** An endpoint of the admin interface, complete. `Services` are what its handler works with. */
export interface AdminEndpoint<in Services> extends AdminEndpointTerms {
  readonly query?: TSchema;
  readonly params?: TSchema;
  readonly body?: TSchema;
  readonly responses: Readonly<Record<number, object>>;
  readonly handle: (services: Services, request: AdminRequest) => unknown;
}

/** The options of `defineAdminEndpoint`. */
interface AdminEndpointOptions<
  Services,
  Query extends TSchema,
  Params extends TSchema,
  Body extends TSchema,
  Responses,
> extends AdminEndpointTerms {
  readonly query?: Query;
  readonly params?: Params;
  readonly body?: Body;
  /** The schema of the answer by its status, 200 or 204. Empty for an answer that is not JSON. */
  readonly responses: Responses;
  readonly handle: (
    services: Services,
    request: AdminRequest<Static<Query>, Static<Params>, Static<Body>>,
  ) => AdminAnswer<Responses> | Promise<AdminAnswer<Responses>>;
}

/**
 * Defines an endpoint of the admin interface. The types of the request and of the answer are those of the schemas.
 * @param options - The handler names the type of its services; all other types are inferred.
 * @example
 * ```ts
 * import { Type } from 'typebox';
 * import { defineAdminEndpoint } from './admin-endpoint.ts';
 *
 * export const renameTeam = defineAdminEndpoint({
 *   method: 'PUT',
 *   path: '/admin/v1/teams/:team/name',
 *   right: 'team.write',
 *   summary: 'Rename a team',
 *   params: Type.Object({ team: Type.String() }),
 *   body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
 *   responses: { 200: Type.Object({ name: Type.String() }) },
 *   handle: ({ names }: { names: Map<string, string> }, { params, body }) => {
 *     names.set(params.team, body.name);
 *     return { name: body.name };
 *   },
 * });
 * ```
 */
export function defineAdminEndpoint<
  Services,
  const Responses extends Readonly<Record<number, object>>,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(options: AdminEndpointOptions<Services, Query, Params, Body, Responses>): AdminEndpoint<Services> {
  // The server validates every part by its schema before it calls the handler.
  return options as AdminEndpoint<Services>;
}

/** An endpoint joined with the services of its handler. */
export interface RunningAdminEndpoint {
  /** The group in the documentation. */
  readonly tag: AdminTag;
  readonly endpoint: AdminEndpoint<never>;
  readonly handle: (request: AdminRequest) => unknown;
}

/**
 * Joins the endpoints of a subject with the services of their handlers.
 * @param tag - Their group in the documentation.
 * @param services - Undefined: the instance does not have them, and the endpoints are not served.
 */
export function joinServices<Services>(
  tag: AdminTag,
  endpoints: readonly AdminEndpoint<Services>[],
  services: Services | undefined,
): readonly RunningAdminEndpoint[] {
  if (services === undefined) return [];
  return endpoints.map((endpoint) => ({
    tag,
    endpoint,
    handle: (request) => endpoint.handle(services, request),
  }));
}
