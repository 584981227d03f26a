import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { REFUSAL_CODES, SwapRefused } from '../../../swaps/refusals.ts';
import type { OtherAnswer } from '../../endpoint.ts';
import { toPublicRefusal } from './refusal-texts.ts';

export const Refusal = named(
  'SwapRefusal',
  Type.Object({
    error: Type.String(),
    details: Type.Optional(
      Type.String({ description: 'What led to the refusal, where `error` is a text that clients compare.' }),
    ),
    errorCode: Type.Optional(
      Type.String({
        enum: [...REFUSAL_CODES],
        description: `The kind of refusal, where it has one: ${REFUSAL_CODES.map((code) => `\`${code}\``).join(', ')}.`,
      }),
    ),
  }),
);

/**
 * Texts that existing clients compare `error` with, so they must not change. A sentence about the request goes into
 * `details`.
 */
export const NO_ROUTES_FOUND = 'No routes found';
/** The text for a quote of swap v1. */
export const COULD_NOT_FIND_ANY_ROUTE = 'Could not find any route';
export const FAILED_TO_GET_QUOTES = 'Failed to get quotes';
export const ORDER_NOT_FOUND = 'Order not found, it might have expired';

/**
 * Answers a request for a swap. A refusal is thrown as the endpoints write it, see `toPublicRefusal`.
 * @param answer - Reads the request and returns the answer.
 * @param answerRefusal - Returns the answer to a refusal with a form of its own; null for the default. Default: none has one.
 */
export async function answerOrRefuse<Answer>(
  answer: () => Answer | Promise<Answer>,
  answerRefusal: (refused: SwapRefused) => OtherAnswer | null = () => null,
): Promise<Answer | OtherAnswer> {
  try {
    return await answer();
  } catch (thrown) {
    const error = toPublicRefusal(thrown);
    const refusal = error instanceof SwapRefused ? answerRefusal(error) : null;
    if (refusal === null) throw error;
    return refusal;
  }
}
