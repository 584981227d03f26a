import type { Static, TSchema } from 'typebox';
import type { Bucket } from '../platform/plans/plans.ts';

/** The text that repeats of one request have in common; null: they have nothing in common. */
export type RepeatKey = (body: unknown) => string | null;

/** What a handler sees of a request. Each part has the type of its schema; without a schema it is `unknown`. */
export interface EndpointRequest<Query = unknown, Params = unknown, Body = unknown> {
  readonly query: Query;
  readonly params: Params;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An answer with another status than 200. */
export class OtherAnswer {
  readonly status: number;
  readonly body: unknown;

  /** @param body is sent as JSON */
  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/**
 * What a handler returns: the body of a 200, JSON that is written already (a `Buffer`, so that endpoints with large
 * answers can keep pieces of them), or an answer with another status.
 */
export type EndpointAnswer<Ok> = Ok | Buffer | OtherAnswer;

/** What the caller of `endpoint` states. Only the first group has no defaults. */
export interface EndpointOptions<
  Services,
  Query extends TSchema,
  Params extends TSchema,
  Body extends TSchema,
  Ok extends TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the router reads it: `:name` is a parameter. */
  readonly path: string;
  /** Once among all endpoints. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Bodies of the answers by status; 200 is what the handler returns. */
  readonly responses: { readonly 200: Ok } & Readonly<Record<number, TSchema>>;
  /** A thrown error is answered by its `statusCode`, and with 500 where it has none. */
  readonly handle: (
    services: Services,
    request: EndpointRequest<Static<Query>, Static<Params>, Static<Body>>,
  ) => EndpointAnswer<Static<Ok>> | Promise<EndpointAnswer<Static<Ok>>>;

  /** Other paths under which clients ask for the same. Default: none. */
  readonly aliases?: readonly string[];
  /** Which limit a request counts towards, and which places it takes. Default: `main`. */
  readonly bucket?: Bucket;
  /** What a request that was answered costs a caller with a key. Default: 1. */
  readonly credits?: number;
  /** Milliseconds that the answer may take. Default: the server's limit. */
  readonly timeoutMs?: number;
  readonly query?: Query;
  readonly params?: Params;
  readonly body?: Body;
  /**
   * Called with the body, before it is validated: requests with the same text are repeats of one request, and share
   * what they hold of the service. Null: the request counts by itself. Default: each request does.
   */
  readonly repeatKey?: RepeatKey;
  /**
   * Called when a request does not fit the schemas, with the body as it came. Returns the answer, or null for the usual
   * one, a 400 with the error's message. Default: the usual one.
   */
  readonly onInvalid?: (body: unknown, error: Error) => OtherAnswer | null;
}

/**
 * An endpoint of a product, complete: the limits, credits, documentation and metrics of the gateway are made from it.
 * `Services` are what the product's `open` returns.
 */
export interface Endpoint<in Services> {
  readonly method: string;
  readonly path: string;
  readonly aliases: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly bucket: Bucket;
  readonly credits: number;
  /** Null: the server's limit. */
  readonly timeoutMs: number | null;
  readonly query: TSchema | null;
  readonly params: TSchema | null;
  readonly body: TSchema | null;
  readonly responses: Readonly<Record<number, TSchema>>;
  readonly repeatKey: RepeatKey | null;
  readonly onInvalid: ((body: unknown, error: Error) => OtherAnswer | null) | null;
  readonly handle: (services: Services, request: EndpointRequest) => unknown;
}

/**
 * Defines an endpoint. The types of the request and of the answer are those of the schemas.
 * @param options the handler names the type of its services; all else is inferred
 */
export function endpoint<
  Services,
  Ok extends TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(options: EndpointOptions<Services, Query, Params, Body, Ok>): Endpoint<Services> {
  return {
    method: options.method,
    path: options.path,
    aliases: options.aliases ?? [],
    operationId: options.operationId,
    summary: options.summary,
    description: options.description,
    bucket: options.bucket ?? 'main',
    credits: options.credits ?? 1,
    timeoutMs: options.timeoutMs ?? null,
    query: options.query ?? null,
    params: options.params ?? null,
    body: options.body ?? null,
    responses: options.responses,
    repeatKey: options.repeatKey ?? null,
    onInvalid: options.onInvalid ?? null,
    // The gateway validates every part by its schema before it calls this.
    handle: options.handle as Endpoint<Services>['handle'],
  };
}
