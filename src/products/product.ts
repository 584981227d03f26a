import type { Endpoint, EndpointRequest } from './endpoint.ts';

/** A part that must answer before requests make sense; `/readyz` asks it. */
export interface ReadinessCheck {
  readonly name: string;
  /** Returns null when the part works, and otherwise why it does not, as a sentence. */
  readonly unhealthy: () => string | null | Promise<string | null>;
  /** Without it requests are still answered: its state is shown, and the instance is ready all the same. */
  readonly optional?: true;
}

/** What a product returns when it is opened. */
export interface OpenedProduct<Services> {
  /** Passed to the handlers of its endpoints. */
  readonly services: Services;
  /** Default: none. */
  readonly readiness?: readonly ReadinessCheck[];
  /** Called at shutdown, when no more requests come. Resolves when no work is under way. Default: there is none. */
  readonly drain?: () => Promise<void>;
  /** Called after `drain`, and when a later step of the start fails. Default: nothing is to be closed. */
  readonly close?: () => Promise<void> | void;
}

/** What the gateway and the platform know of a product. */
export interface ProductDescription {
  /** In the allow-lists of keys and as the tag in the documentation. */
  readonly name: string;
  /** A key that is confined to the product may ask for these paths and for all below them. */
  readonly basePaths: readonly string[];
}

/** All of an endpoint but its handler. */
export type EndpointDescription = Omit<Endpoint<never>, 'handle'>;

/** An endpoint joined with the services of its product. */
export interface RunningEndpoint {
  readonly endpoint: EndpointDescription;
  /** Returns an `EndpointAnswer`, or a promise of one. */
  readonly handle: (request: EndpointRequest) => unknown;
}

/** An open product, ready to be served. */
export interface RunningProduct extends ProductDescription {
  readonly endpoints: readonly RunningEndpoint[];
  readonly readiness: readonly ReadinessCheck[];
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void> | void;
}

/** A product that can be opened with `Dependencies`, whatever its services are. */
export interface RegisteredProduct<in Dependencies> extends ProductDescription {
  readonly endpoints: readonly EndpointDescription[];
  readonly open: (dependencies: Dependencies) => Promise<RunningProduct>;
}

/** A product whose services are known. */
export interface Product<in Dependencies, in Services> extends RegisteredProduct<Dependencies> {
  /** Joins the endpoints with services that are open already. */
  readonly run: (opened: OpenedProduct<Services>) => RunningProduct;
}

/** All that a product states. */
export interface ProductDefinition<Dependencies, Services> extends ProductDescription {
  readonly endpoints: readonly Endpoint<Services>[];
  /** Called once, at the start. */
  readonly open: (dependencies: Dependencies) => OpenedProduct<Services> | Promise<OpenedProduct<Services>>;
}

/** Defines a product. One line in `src/app/products.ts` registers it. */
export function defineProduct<Dependencies, Services>(
  definition: ProductDefinition<Dependencies, Services>,
): Product<Dependencies, Services> {
  const { name, basePaths, endpoints } = definition;
  const run = ({ services, readiness = [], drain, close }: OpenedProduct<Services>): RunningProduct => ({
    name,
    basePaths,
    endpoints: endpoints.map((endpoint) => ({
      endpoint,
      handle: (request) => endpoint.handle(services, request),
    })),
    readiness,
    drain: drain ?? (async () => undefined),
    close: close ?? (() => undefined),
  });
  return {
    name,
    basePaths,
    endpoints,
    run,
    open: async (dependencies) => run(await definition.open(dependencies)),
  };
}
