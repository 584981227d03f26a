import { type TSchema, Type } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import { PredictionRefused, type PredictionRefusalKind } from '../../../predictions/prediction-refused.ts';
import { type EndpointError, OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';

const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'idempotency_error',
  'rate_limit_error',
  'api_error',
] as const;

/** The body of every error of the product. */
export const PredictionError = named(
  'PredictionError',
  Type.Object({
    type: Type.Enum([...ERROR_TYPES]),
    message: Type.String({ description: 'A sentence, or a text that clients compare.' }),
    code: Type.Optional(Type.String({ description: 'By which programs tell errors apart.' })),
    param: Type.Optional(Type.String({ description: 'The parameter or field that it is about.' })),
    request_id: Type.String({ description: 'By which the log of the gateway names the request.' }),
  }),
);

/** An error as the product writes it. */
interface PredictionErrorJson {
  readonly type: (typeof ERROR_TYPES)[number];
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly request_id: string;
}

const STATUS: Readonly<Record<PredictionRefusalKind, 400 | 403 | 404 | 501 | 502>> = {
  invalid: 400,
  'not permitted': 403,
  'not found': 404,
  elsewhere: 501,
  'no provider': 502,
};

/** Answers an error in the form of the product. */
export function answerPredictionError(
  status: number,
  message: string,
  requestId: string,
  { code = null, field = null }: { readonly code?: string | null; readonly field?: string | null } = {},
): OtherAnswer {
  const body: PredictionErrorJson = {
    type: toErrorType(status),
    message,
    ...(code === null ? {} : { code }),
    ...(field === null ? {} : { param: field }),
    request_id: requestId,
  };
  return new OtherAnswer(status, body);
}

function toErrorType(status: number): PredictionErrorJson['type'] {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status < 500 ? 'invalid_request_error' : 'api_error';
  }
}

/** Answers what a handler threw, if it is a refusal. Returns null for anything else. */
export function findPredictionRefusal(thrown: unknown, requestId: string): OtherAnswer | null {
  if (thrown instanceof PredictionRefused) {
    return answerPredictionError(STATUS[thrown.kind], thrown.message, requestId, thrown);
  }
  return thrown instanceof RequestRefused ? answerPredictionError(400, thrown.message, requestId) : null;
}

/** The code of a value that does not fit its schema. */
const INVALID_TYPE = 'invalid_type';

/** Gives what the gateway refuses the form of the product. */
export function toPredictionErrorBody({ status, message, requestId, invalid }: EndpointError): unknown {
  const [first] = invalid;
  const about =
    first === undefined ? {} : { code: INVALID_TYPE, field: first.name === '' ? null : first.name };
  return answerPredictionError(status, message, requestId, about).body;
}

/** The statuses with which every endpoint can answer. */
const EVERY_STATUS = [400, 401, 403, 404, 413, 414, 415, 429, 500, 501, 502, 503] as const;

/** The answers of an endpoint: its own, and the errors. */
export function addPredictionErrors<Ok extends TSchema>(
  ok: Ok,
): { readonly 200: Ok; readonly [status: number]: TSchema } {
  return { ...Object.fromEntries(EVERY_STATUS.map((status) => [status, PredictionError])), 200: ok };
}
