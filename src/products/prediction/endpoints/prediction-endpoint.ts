import type { Static, TSchema } from 'typebox';
import { PredictionRefused } from '../../../predictions/prediction-refused.ts';
import { PREDICTION_PROGRAM } from '../../../protocols/jupiter-prediction/prediction-program.ts';
import {
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type EndpointOptions,
  type EndpointRequest,
  type OtherAnswer,
} from '../../endpoint.ts';
import type { PredictionDesk, PredictionServices } from './prediction-services.ts';
import {
  addPredictionErrors,
  answerPredictionError,
  findPredictionRefusal,
  toPredictionErrorBody,
} from './prediction-errors.ts';

/** The options of `definePredictionEndpoint`. */
interface PredictionEndpointOptions<
  Query extends TSchema,
  Params extends TSchema,
  Body extends TSchema,
  Ok extends TSchema,
> extends Omit<
    EndpointOptions<PredictionServices, Query, Params, Body, Ok>,
    'handle' | 'responses' | 'onInvalid' | 'onUnreadable' | 'onDefect' | 'toErrorBody'
  > {
  /** The body of a 200. */
  readonly answer: Ok;
  /** The bodies of statuses at which this endpoint answers another body than the error of the product. */
  readonly otherAnswers?: Readonly<Record<number, TSchema>>;
  /** Called where the network has prediction markets. A thrown `PredictionRefused` is answered with the status of its kind. */
  readonly handle: (
    desk: PredictionDesk,
    request: EndpointRequest<Static<Query>, Static<Params>, Static<Body>>,
  ) => EndpointAnswer<Static<Ok>> | Promise<EndpointAnswer<Static<Ok>>>;
}

/**
 * Defines an endpoint of the product. Its errors have the product's form, callers of refused countries are refused, and so is
 * everything over a network without the program.
 */
export function definePredictionEndpoint<
  Ok extends TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>({
  answer,
  otherAnswers = {},
  handle,
  ...options
}: PredictionEndpointOptions<Query, Params, Body, Ok>): Endpoint<PredictionServices> {
  return defineEndpoint<PredictionServices, Ok, Query, Params, Body>({
    ...options,
    responses: { ...addPredictionErrors(answer), ...otherAnswers },
    toErrorBody: toPredictionErrorBody,
    handle: async (services, request) => {
      const refusal = refuseCountry(services, request);
      if (refusal !== null) return refusal;
      try {
        return await handle(requireDesk(services), request);
      } catch (error) {
        const answered = findPredictionRefusal(error, request.id);
        if (answered === null) throw error;
        return answered;
      }
    },
  });
}

function refuseCountry(
  { refusedCountries }: PredictionServices,
  { id, findCountry }: Pick<EndpointRequest, 'id' | 'findCountry'>,
): OtherAnswer | null {
  if (refusedCountries.size === 0) return null;
  const country = findCountry?.() ?? null;
  if (country === null || !refusedCountries.has(country)) return null;
  return answerPredictionError(403, `Prediction markets are not available in ${country}`, id, {
    code: 'country_refused',
  });
}

function requireDesk({ desk }: PredictionServices): PredictionDesk {
  if (desk !== null) return desk;
  throw new PredictionRefused(
    'elsewhere',
    `this instance has no keys of the program of prediction markets, ${PREDICTION_PROGRAM}, on this network; the network that Sluice carries inside itself has it, and over an outside RPC forecasts are served with forecast-feed`,
    { code: 'network_not_supported' },
  );
}
