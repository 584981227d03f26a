import type { TSchema } from 'typebox';
import type { Address } from '../../../solana/address.ts';
import {
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type EndpointOptions,
  type EndpointRequest,
  type InvalidRequest,
  OtherAnswer,
} from '../../endpoint.ts';
import type { Static } from 'typebox';
import type { TriggerServices } from './services.ts';
import {
  answerTriggerError,
  findRefusalAnswer,
  toInvalidAnswer,
  toUnreadableAnswer,
  TriggerError,
} from './trigger-errors.ts';

type Options<
  Services,
  Query extends TSchema,
  Params extends TSchema,
  Body extends TSchema,
  Ok extends TSchema,
> = Omit<
  EndpointOptions<Services, Query, Params, Body, Ok>,
  'handle' | 'authorize' | 'onInvalid' | 'onUnreadable' | 'onDefect'
>;

/** The options of `defineWalletEndpoint`. */
interface WalletOptions<
  Services,
  Query extends TSchema,
  Params extends TSchema,
  Body extends TSchema,
  Ok extends TSchema,
> extends Options<Services, Query, Params, Body, Ok> {
  /**
   * Called for requests whose sender has proved to be `wallet`. A thrown `OrderRefused` is answered with the status of its
   * kind, and a thrown `RequestRefused` with 400.
   */
  readonly handle: (
    services: Services,
    request: EndpointRequest<Static<Query>, Static<Params>, Static<Body>>,
    wallet: Address,
  ) => Promise<EndpointAnswer<Static<Ok>>>;
}

/** The wallets of requests whose token was checked before they were validated. */
const wallets = new WeakMap<object, Address>();

/**
 * Returns the wallet that signed in and whose token the request carries, or the answer to a request without a valid one.
 * Nothing else decides whose vault and orders are read and changed.
 */
export async function requireWallet(
  { signIn }: Pick<TriggerServices, 'signIn'>,
  headers: EndpointRequest['headers'],
): Promise<Address | OtherAnswer> {
  return (await signIn.findWallet(headers.authorization)) ?? answerTriggerError(401, 'Unauthorized');
}

/**
 * Defines an endpoint for wallets that have signed in. A request without a valid token is answered with 401 before anything
 * else of it is looked at.
 * @example
 * ```ts
 * import { Type } from 'typebox';
 * import { defineWalletEndpoint } from './trigger-endpoint.ts';
 *
 * export const whoAmI = defineWalletEndpoint({
 *   method: 'GET',
 *   path: '/trigger/v2/me',
 *   operationId: 'GetMe',
 *   summary: 'The wallet',
 *   description: 'Names the wallet that signed in.',
 *   responses: { 200: Type.Object({ wallet: Type.String() }) },
 *   handle: async (_services, _request, wallet) => ({ wallet }),
 * });
 * ```
 */
export function defineWalletEndpoint<
  Ok extends TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>({
  handle,
  responses,
  ...options
}: WalletOptions<TriggerServices, Query, Params, Body, Ok>): Endpoint<TriggerServices> {
  return defineEndpoint<TriggerServices, Ok, Query, Params, Body>({
    ...options,
    ...createErrorForm(options.body),
    responses: { ...responses, 401: TriggerError, 500: TriggerError },
    authorize: async (services, request) => {
      const wallet = await requireWallet(services, request.headers);
      if (wallet instanceof OtherAnswer) return wallet;
      wallets.set(request, wallet);
      return null;
    },
    handle: async (services, request) => {
      const wallet = wallets.get(request) ?? (await requireWallet(services, request.headers));
      if (wallet instanceof OtherAnswer) return wallet;
      return answerRefusals(() => handle(services, request, wallet));
    },
  });
}

/** Defines an endpoint for those who have not signed in. */
export function defineOpenEndpoint<Ok extends TSchema, Body extends TSchema = TSchema>({
  handle,
  responses,
  ...options
}: Options<TriggerServices, TSchema, TSchema, Body, Ok> & {
  readonly handle: (
    services: TriggerServices,
    request: EndpointRequest<unknown, unknown, Static<Body>>,
  ) => Promise<EndpointAnswer<Static<Ok>>>;
}): Endpoint<TriggerServices> {
  return defineEndpoint<TriggerServices, Ok, TSchema, TSchema, Body>({
    ...options,
    ...createErrorForm(options.body),
    responses: { ...responses, 500: TriggerError },
    handle: (services, request) => answerRefusals(() => handle(services, request)),
  });
}

/** Returns what answers in the form of these endpoints what the gateway finds wrong. */
function createErrorForm(body: TSchema | undefined) {
  return {
    onInvalid: (_body: unknown, error: InvalidRequest) => toInvalidAnswer(error, body),
    onUnreadable: toUnreadableAnswer,
    onDefect: (error: string) => ({ error }),
  };
}

async function answerRefusals<Ok>(work: () => Promise<Ok>): Promise<Ok | OtherAnswer> {
  try {
    return await work();
  } catch (error) {
    const refusal = findRefusalAnswer(error);
    if (refusal === null) throw error;
    return refusal;
  }
}
