import { type TSchema, Type } from 'typebox';
import { RequestRefused } from '../../../../common/request-refused.ts';
import type { Address } from '../../../../solana/address.ts';
import { OtherAnswer } from '../../../endpoint.ts';
import { named } from '../../../named-schema.ts';
import { readAddress } from '../../../parameters/kinds.ts';

export const LimitOrderError = named(
  'LimitOrderError',
  Type.Object({
    error: Type.String({ description: 'What was refused, in a few words.' }),
    cause: Type.Optional(Type.String({ description: 'Why, with the value that is wrong.' })),
    code: Type.Integer({ description: 'The status of the answer.' }),
  }),
);

/** A refusal with the words that clients of the public service compare, and the reason for it. */
export class LimitOrderRefused extends Error {
  override readonly name = 'LimitOrderRefused';
  readonly reason: string | null;

  constructor(message: string, reason: string | null = null) {
    super(message);
    this.reason = reason;
  }
}

/** Returns the body of an error. */
export function toLimitErrorJson(code: 400 | 500, error: string, cause: string | null = null) {
  return { error, ...(cause === null ? {} : { cause }), code };
}

/** @throws LimitOrderRefused if the field is not an address */
export function readAddressField(text: string, field: string): Address {
  return readAddress(text, field, (sentence) => {
    throw new LimitOrderRefused(`invalid ${field} pubkey`, sentence);
  });
}

/**
 * Returns the answers to requests that the gateway refuses or cannot serve, in the form of these endpoints.
 *
 * @param what - What is invalid, in the words of the public service.
 */
export function createLimitErrorForm(what: string) {
  const answer = (cause: string) => new OtherAnswer(400, toLimitErrorJson(400, what, cause));
  return {
    onInvalid: (_body: unknown, { message }: Error) => answer(message),
    onUnreadable: answer,
    onDefect: (message: string) => toLimitErrorJson(500, message),
  };
}

/** Runs the work of a request. If it throws a refusal, returns the answer in the form of these endpoints. */
export async function answerLimitRefusals<Ok>(
  what: string,
  work: () => Promise<Ok>,
): Promise<Ok | OtherAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LimitOrderRefused) {
      return new OtherAnswer(400, toLimitErrorJson(400, error.message, error.reason));
    }
    if (error instanceof RequestRefused) {
      return new OtherAnswer(400, toLimitErrorJson(400, what, error.message));
    }
    throw error;
  }
}

/** The answers of an endpoint: its own, and those that every one of them can give. */
export function addLimitErrors<Ok extends TSchema>(
  ok: Ok,
): { readonly 200: Ok; readonly [status: number]: TSchema } {
  return { 200: ok, 400: LimitOrderError, 500: LimitOrderError };
}
