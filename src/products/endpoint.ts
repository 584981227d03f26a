import type { Static, TSchema } from 'typebox';
import type { Party } from '../common/party.ts';
import type { Work } from '../common/work/work.ts';
import type { Bucket } from '../platform/plans/plans.ts';
import type { EntryOrder } from '../platform/traffic/log/request-entry.ts';
import type { FileAnswer, RawBodyForm, ReadBody } from './raw-body.ts';

/** Returns a text that is the same for all repeats of one request; null if each request counts separately. */
export type RepeatKey = (body: unknown) => string | null;

/** What a handler sees of a request. Each field has the type of its schema, and `unknown` without a schema. */
export interface EndpointRequest<Query = unknown, Params = unknown, Body = unknown> {
  /** The id under which the answer and the request log name the request. */
  readonly id: string;
  readonly query: Query;
  readonly params: Params;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The sender: an organisation, identified by its key, or a client without a key, identified by its network. */
  readonly caller: Party;
  /** What the handler counts its work on lists and accounts by, so that it is done in turns: see `Work`. */
  readonly work: Work;
  /**
   * Called with the order that the request gives out or executes, for the request log. Absent where no request log is kept;
   * the last call counts. The id may be any text that a client sent.
   */
  readonly noteOrder?: (order: EntryOrder) => void;
  /** Finds the country of the sender: an ISO 3166 code, or null if it is unknown. */
  readonly findCountry?: () => string | null;
  /** Begins further work of the request, which may wait for its turns as long as the first. For each event of a stream. */
  readonly beginWork: () => Work;
}

/** An answer with a status other than 200, or with headers of its own. */
export class OtherAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  /** @param body - Sent as JSON; a `Buffer` holds JSON that is written already. */
  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An event of an `EventStream`. */
export interface StreamEvent {
  /** The type of the event for clients. Default: `message`. */
  readonly name?: string;
  /** Sent as JSON; a `Buffer` holds JSON that is written already, in one line. */
  readonly data: unknown;
}

/** An answer as server-sent events. The endpoint has to declare `streams`. */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<StreamEvent>;

  /**
   * @param events - Called once. The next event is requested when the client has taken the one before, so a slow client
   *   does not make a queue grow, and the iterable can skip outdated events. An error before the first event is answered
   *   like an error of any handler; a later one ends the stream with an event `error`. The signal aborts when the client
   *   has left or the server stops; the iterable must then end.
   */
  constructor(events: (signal: AbortSignal) => AsyncIterable<StreamEvent>) {
    this.events = events;
  }
}

/**
 * What a handler returns: the body of a 200; JSON that is encoded already (a `Buffer`, so that endpoints with large
 * answers can cache pieces of them); a file; an answer with another status or headers; or events.
 */
export type EndpointAnswer<Ok> = Ok | Buffer | FileAnswer | OtherAnswer | EventStream;

/** What is wrong with one value of a request. */
export interface InvalidValue {
  /** The name of the parameter, or the path of the field, such as `items[0].mint`; empty for the body as a whole. */
  readonly name: string;
  /** The keyword of the schema that the value does not fit, such as `minimum`. */
  readonly keyword: string;
  /** What the keyword asks for, such as `limit`. */
  readonly demand: Readonly<Record<string, unknown>>;
  /** Undefined if it is missing. */
  readonly found: unknown;
}

/** The error of a request that does not fit the schemas of its endpoint. Its message describes the first wrong value. */
export interface InvalidRequest extends Error {
  /** All wrong values of the first part of the request that has any: path, body or query. */
  readonly invalid?: readonly InvalidValue[];
}

/** What the gateway, rather than the handler, answers with an error. */
export interface EndpointError {
  readonly status: number;
  /** A sentence for the client, or a text that clients compare. */
  readonly message: string;
  readonly requestId: string;
  /** The values that do not fit their schemas; empty where it is about something else. */
  readonly invalid: readonly InvalidValue[];
}

/** A request as the documentation shows it. The demo wallet stands in place of `EXAMPLE_WALLET`. */
export interface EndpointExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The options of `defineEndpoint`. Only those of the first group are required. */
export interface EndpointOptions<
  Services,
  Query extends TSchema,
  Params extends TSchema,
  Body extends TSchema,
  Ok extends TSchema,
  Raw extends RawBodyForm | null = null,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the router's syntax, where `:name` is a parameter. */
  readonly path: string;
  /** Unique among all endpoints. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Bodies of the answers by status; 200 is what the handler returns. */
  readonly responses: { readonly 200: Ok } & Readonly<Record<number, TSchema>>;
  /** A thrown `RequestRefused` is answered with 400, `Unavailable` with 503, and any other error with 500. */
  readonly handle: (
    services: Services,
    request: EndpointRequest<Static<Query>, Static<Params>, ReadBody<Raw, Static<Body>>>,
  ) => EndpointAnswer<Static<Ok>> | Promise<EndpointAnswer<Static<Ok>>>;

  /**
   * Called before the request is validated, if callers must prove with `Authorization: Bearer` who they are, beside or instead
   * of a key. Returns the answer to a request that may not go on, or null. Default: nothing but the key is looked at.
   */
  readonly authorize?: EndpointGuard<Services>;
  /**
   * Called before a body that is not JSON is read, with a query and a path that are not validated. Returns the answer to a
   * request whose body may not come, or null. Default: every body is read.
   */
  readonly admit?: EndpointGuard<Services>;
  /**
   * Whether anybody may send requests, with any key or none, as many as the instance has places for. They are not counted
   * towards the limits of a plan, cost nothing, are not in the request log, and their answers can be read by all pages.
   * Default: false.
   */
  readonly isOpen?: boolean;
  /** Other paths that answer the same. Default: none. */
  readonly aliases?: readonly string[];
  /** Which limit a request counts towards, and whose places it takes. Default: `main`. */
  readonly bucket?: Bucket;
  /**
   * Credits that an answered request costs a caller with a key. Default: 0 for a path that
   * ends with `/execute`, and 1 for any other.
   */
  readonly credits?: number;
  /** Milliseconds that the answer may take, or the first event of an `EventStream`. Default: the server's limit. */
  readonly timeoutMs?: number;
  /**
   * Whether pages may read the answer to a request that the browser sends with cookies. Only for what everybody may know,
   * because a proxy in front of the gateway may take the cookies for a visitor's consent. Default: they may not.
   */
  readonly allowsCookies?: boolean;
  /** Whether a 200 is an `EventStream` whose events have data of that schema. Default: false. */
  readonly streams?: boolean;
  /** The media types of a 200 that is a `FileAnswer`. Default: none, a 200 is JSON. */
  readonly fileTypes?: readonly string[];
  /** Default: none, for an endpoint that takes nothing. */
  readonly example?: EndpointExample;
  /**
   * Whether the handler and `onInvalid` get integers of the body that a double cannot hold as bigints. The body is validated
   * with rounded ones. Default: all are rounded.
   */
  readonly exactIntegers?: boolean;
  readonly query?: Query;
  readonly params?: Params;
  readonly body?: Body;
  /** How a body is read that is not JSON. It takes the place of `body`. Default: the body is JSON. */
  readonly rawBody?: Raw;
  /**
   * Called with the body before it is validated. Requests with the same text are repeats of one request and share one
   * place in the gate. Default: each request counts by itself.
   */
  readonly repeatKey?: RepeatKey;
  /**
   * Called with the body as received when a request does not fit the schemas. Returns the answer, or null for the
   * default: a 400 with the error's message.
   */
  readonly onInvalid?: (body: unknown, error: InvalidRequest) => OtherAnswer | null;
  /** Called with a sentence when the body is not JSON, or no form where one is read. Returns the answer. Default: a 400 with `{ code, message }`. */
  readonly onUnreadable?: (message: string) => OtherAnswer;
  /** Called with a sentence when the handler failed. Returns the body of the 500. Default: `{ code, message }`. */
  readonly onDefect?: (message: string) => unknown;
  /**
   * Called with every error that the gateway answers with for the endpoint, such as 401 or a request that does not fit the
   * schemas. Returns the body. It takes the place of the three functions before. Default: there is no such form.
   */
  readonly toErrorBody?: (error: EndpointError) => unknown;
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
  readonly allowsCookies: boolean;
  readonly streams: boolean;
  readonly fileTypes: readonly string[];
  readonly isOpen: boolean;
  readonly example: EndpointExample;
  readonly exactIntegers: boolean;
  readonly query: TSchema | null;
  readonly params: TSchema | null;
  /** Null also where the body is not JSON: see `rawBody`. */
  readonly body: TSchema | null;
  /** Null: the body is JSON, or there is none. */
  readonly rawBody: RawBodyForm | null;
  readonly responses: Readonly<Record<number, TSchema>>;
  readonly repeatKey: RepeatKey | null;
  readonly onInvalid: ((body: unknown, error: InvalidRequest) => OtherAnswer | null) | null;
  readonly onUnreadable: ((message: string) => OtherAnswer) | null;
  readonly onDefect: ((message: string) => unknown) | null;
  readonly toErrorBody: ((error: EndpointError) => unknown) | null;
  readonly handle: (services: Services, request: EndpointRequest) => unknown;
  /** Null: nothing but the key is looked at. */
  readonly authorize: EndpointGuard<Services> | null;
  /** Null: every body is read. */
  readonly admit: EndpointGuard<Services> | null;
}

/** Returns the answer to a request that may not go on, or null. */
export type EndpointGuard<in Services> = (
  services: Services,
  request: EndpointRequest,
) => OtherAnswer | null | Promise<OtherAnswer | null>;

/**
 * Returns what a request costs if its endpoint states nothing else. Executing a prepared transaction is free; everything
 * else costs one credit.
 */
function getDefaultCredits(path: string): number {
  return path.endsWith('/execute') ? 0 : 1;
}

/**
 * Defines an endpoint. The types of the request and of the answer are those of the schemas.
 * @param options - The handler names the type of its services; all other types are inferred.
 * @example
 * ```ts
 * import { Type } from 'typebox';
 * import { defineEndpoint } from './endpoint.ts';
 *
 * export const hello = defineEndpoint({
 *   method: 'GET',
 *   path: '/hello/v1/:name',
 *   operationId: 'GetHello',
 *   summary: 'Greeting',
 *   description: 'Greets by name.',
 *   params: Type.Object({ name: Type.String() }),
 *   responses: { 200: Type.Object({ text: Type.String() }) },
 *   handle: ({ greeting }: { greeting: string }, { params }) => ({ text: `${greeting} ${params.name}` }),
 * });
 * ```
 */
export function defineEndpoint<
  Services,
  Ok extends TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Raw extends RawBodyForm | null = null,
>(options: EndpointOptions<Services, Query, Params, Body, Ok, Raw>): Endpoint<Services> {
  return {
    method: options.method,
    path: options.path,
    aliases: options.aliases ?? [],
    operationId: options.operationId,
    summary: options.summary,
    description: options.description,
    bucket: options.bucket ?? 'main',
    credits: options.credits ?? (options.isOpen === true ? 0 : getDefaultCredits(options.path)),
    timeoutMs: options.timeoutMs ?? null,
    allowsCookies: options.allowsCookies ?? false,
    streams: options.streams ?? false,
    fileTypes: options.fileTypes ?? [],
    isOpen: options.isOpen ?? false,
    example: options.example ?? {},
    exactIntegers: options.exactIntegers ?? false,
    query: options.query ?? null,
    params: options.params ?? null,
    body: options.body ?? null,
    rawBody: options.rawBody ?? null,
    responses: options.responses,
    repeatKey: options.repeatKey ?? null,
    onInvalid: options.onInvalid ?? null,
    onUnreadable: options.onUnreadable ?? null,
    onDefect: options.onDefect ?? null,
    toErrorBody: options.toErrorBody ?? null,
    // The gateway validates every part by its schema before it calls this.
    handle: options.handle as Endpoint<Services>['handle'],
    authorize: options.authorize ?? null,
    admit: options.admit ?? null,
  };
}
