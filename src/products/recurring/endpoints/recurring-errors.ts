import { type TSchema, Type } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import { OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';

const STATUS_TEXTS = { 400: 'Bad Request', 500: 'Internal Server Error' } as const;
type ErrorStatus = keyof typeof STATUS_TEXTS;

export const RecurringError = named(
  'RecurringError',
  Type.Object({
    code: Type.Integer({ description: 'The status of the answer.' }),
    error: Type.String({ description: 'What is wrong, as a sentence.' }),
    status: Type.Enum(Object.values(STATUS_TEXTS), { description: 'The status of the answer, in words.' }),
  }),
);

/** The text with which everything about the closed kind of orders is refused. */
export const PRICE_ORDERS_CLOSED = 'price-based orders are closed; use time-based ones, in params.time';

/** Returns the body of an error. */
export function toErrorJson(code: ErrorStatus, error: string) {
  return { code, error, status: STATUS_TEXTS[code] };
}

export function answerRecurringError(code: ErrorStatus, error: string): OtherAnswer {
  return new OtherAnswer(code, toErrorJson(code, error));
}

/** The answers to requests that the gateway refuses or cannot serve, in the form of the product. */
export const RECURRING_ERROR_FORM = {
  onInvalid: (_body: unknown, { message }: Error) => answerRecurringError(400, message),
  onUnreadable: (message: string) => answerRecurringError(400, message),
  onDefect: (message: string) => toErrorJson(500, message),
};

/** Runs the work of a request. If it throws a refusal, returns the answer in the form of the product. */
export async function answerRefusals<Ok>(work: () => Promise<Ok>): Promise<Ok | OtherAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestRefused) return answerRecurringError(400, error.message);
    throw error;
  }
}

/** Creates the answers of an endpoint: its own, and those that every one of them can give. */
export function createResponses<Ok extends TSchema>(
  ok: Ok,
): { readonly 200: Ok; readonly [status: number]: TSchema } {
  return { 200: ok, 400: RecurringError, 500: RecurringError };
}
