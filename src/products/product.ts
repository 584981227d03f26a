import type { PositionFetcher } from '../protocol/positions/fetcher.ts';
import type { Address } from '../solana/address.ts';
import type { Endpoint, EndpointGuard, EndpointRequest, OtherAnswer } from './endpoint.ts';
import type { HealthCheck, RemoteHealthCheck } from '../common/ports/health-check.ts';

/** Something that must work before the instance is ready. `/readyz` asks it. */
export interface ReadinessCheck {
  readonly name: string;
  readonly unhealthy: HealthCheck | RemoteHealthCheck;
  /** If true, the instance is ready without this part, and `/readyz` only shows its state. */
  readonly optional?: true;
  /** The section of the documentation that says what to do, such as `runbooks#sluicekeeperdown`. Default: that of all parts. */
  readonly runbook?: string;
}

/**
 * Returns the rate that lenders of a token earn through a product now, in percent a year; null if the product has no pool
 * for the token.
 */
export type EarnRateOf = (mint: Address) => number | null;

export interface OpenedProduct<Services> {
  /** Passed to the handlers of its endpoints. */
  readonly services: Services;
  /** Default: none. */
  readonly readiness?: readonly ReadinessCheck[];
  /** Called at shutdown, after the last request. Resolves when no work is in flight. Default: there is none. */
  readonly drain?: () => Promise<void>;
  /** Called after `drain`, and when a later step of the start fails. Default: nothing is to be closed. */
  readonly close?: () => Promise<void> | void;
  /** Default: nothing can be lent through it. */
  readonly earnRateOf?: EarnRateOf;
  /** Finds what wallets have in the product beyond their accounts on the chain. Default: nothing. */
  readonly positionFetchers?: readonly PositionFetcher[];
}

/** A request that shows what a product does. */
export interface ExampleRequest {
  /** What the answer is, as the end of a sentence, such as `a quote of 0.1 SOL for USDC`. */
  readonly title: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The query parameter that takes the address of a wallet. The example is shown only where there is a demo wallet. */
  readonly walletParameter?: string;
}

/** A section of `docs/errors.md`, and which requests of the product it is about. */
export interface ProductErrorSection {
  /** The heading of the section, up to a colon. */
  readonly heading: string;
  /** A part of the paths of the requests. Default: it is about all requests of the product. */
  readonly pathPart?: string;
}

/** What the gateway and the platform know about a product. */
export interface ProductDescription {
  /** The name in the allow-lists of keys, and the tag in the documentation. */
  readonly name: string;
  /** What it is for, in a sentence, for the tag. */
  readonly description: string;
  /** A key that is confined to the product may request these paths and all below them. */
  readonly basePaths: readonly string[];
  /** Whether only the keys of makers open its paths. A key of an organisation cannot be confined to it. Default: false. */
  readonly isForMakers?: boolean;
  /**
   * Default: none. `sluice start` prints the first one that works, and the forms of the documentation are filled in with
   * the parameters of all of them.
   */
  readonly examples?: readonly ExampleRequest[];
  /** The sections of the page of errors that pages show beside its requests. Default: none. */
  readonly errorSections?: readonly ProductErrorSection[];
}

/** An endpoint without what is called with the services of its product. */
export type EndpointDescription = Omit<Endpoint<never>, 'handle' | 'authorize' | 'admit'>;

/** An endpoint joined with the services of its product. */
export interface RunningEndpoint {
  readonly endpoint: EndpointDescription;
  /** Returns an `EndpointAnswer`, or a promise of one. */
  readonly handle: (request: EndpointRequest) => unknown;
  /** Returns the answer to a request whose caller has not proved who it is, or null. Default: callers need not. */
  readonly authorize?: RunningGuard;
  /** Returns the answer to a request whose body may not come, or null. Default: every body is read. */
  readonly admit?: RunningGuard;
}

/** A guard of an endpoint, joined with the services of its product. */
export type RunningGuard = (request: EndpointRequest) => OtherAnswer | null | Promise<OtherAnswer | null>;

/** An open product, ready to be served. */
export interface RunningProduct extends ProductDescription {
  readonly endpoints: readonly RunningEndpoint[];
  readonly readiness: readonly ReadinessCheck[];
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void> | void;
  readonly earnRateOf: EarnRateOf;
  readonly positionFetchers: readonly PositionFetcher[];
}

/** A product that can be opened with `Dependencies`, whatever its services are. */
export interface RegisteredProduct<in Dependencies> extends ProductDescription {
  readonly endpoints: readonly EndpointDescription[];
  readonly open: (dependencies: Dependencies) => Promise<RunningProduct>;
}

/** A product whose services are known. */
export interface Product<in Dependencies, in Services> extends RegisteredProduct<Dependencies> {
  /** Joins the endpoints with services that are already open. */
  readonly run: (opened: OpenedProduct<Services>) => RunningProduct;
}

/** The definition of a product. */
export interface ProductDefinition<Dependencies, Services> extends ProductDescription {
  readonly endpoints: readonly Endpoint<Services>[];
  /** Called once, at the start. */
  readonly open: (dependencies: Dependencies) => OpenedProduct<Services> | Promise<OpenedProduct<Services>>;
}

/**
 * Defines a product. One line in `src/app/products.ts` registers it.
 * @param definition - `open` is called once, at the start, and returns the services that the endpoints work with.
 * @example
 * ```ts
 * import { Type } from 'typebox';
 * import { defineEndpoint } from './endpoint.ts';
 * import { defineProduct } from './product.ts';
 *
 * const now = defineEndpoint({
 *   method: 'GET',
 *   path: '/clock/v1/now',
 *   operationId: 'GetNow',
 *   summary: 'Time',
 *   description: 'Unix milliseconds.',
 *   responses: { 200: Type.Object({ now: Type.Number() }) },
 *   handle: ({ clock }: { clock: () => number }) => ({ now: clock() }),
 * });
 * export const clock = defineProduct({
 *   name: 'clock',
 *   description: 'The time.',
 *   basePaths: ['/clock'],
 *   endpoints: [now],
 *   open: () => ({ services: { clock: Date.now } }),
 * });
 * ```
 */
export function defineProduct<Dependencies, Services>(
  definition: ProductDefinition<Dependencies, Services>,
): Product<Dependencies, Services> {
  const {
    name,
    description,
    basePaths,
    isForMakers = false,
    endpoints,
    examples = [],
    errorSections = [],
  } = definition;
  const run = ({
    services,
    readiness = [],
    drain,
    close,
    earnRateOf = () => null,
    positionFetchers = [],
  }: OpenedProduct<Services>): RunningProduct => ({
    name,
    description,
    basePaths,
    isForMakers,
    examples,
    errorSections,
    endpoints: endpoints.map((endpoint) => {
      const { authorize, admit } = endpoint;
      return {
        endpoint,
        handle: (request) => endpoint.handle(services, request),
        ...(authorize === null ? {} : { authorize: bindGuard(authorize, services) }),
        ...(admit === null ? {} : { admit: bindGuard(admit, services) }),
      };
    }),
    readiness,
    drain: drain ?? (async () => undefined),
    close: close ?? (() => undefined),
    earnRateOf,
    positionFetchers,
  });
  return {
    name,
    description,
    basePaths,
    isForMakers,
    examples,
    errorSections,
    endpoints,
    run,
    open: async (dependencies) => run(await definition.open(dependencies)),
  };
}

function bindGuard<Services>(guard: EndpointGuard<Services>, services: Services): RunningGuard {
  return (request) => guard(services, request);
}
