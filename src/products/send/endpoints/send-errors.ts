import { type TSchema, Type } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import { OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';

export const SendError = named(
  'SendError',
  Type.Object({ error: Type.String({ description: 'What is wrong, as a sentence.' }) }),
);

function refuse(error: string): OtherAnswer {
  return new OtherAnswer(400, { error });
}

/** What answers in the form of the product what the gateway finds wrong. */
export const SEND_ERROR_FORM = {
  onInvalid: (_body: unknown, { message }: Error) => refuse(message),
  onUnreadable: refuse,
  onDefect: (error: string) => ({ error }),
};

/** Answers a refusal that the work throws in the form of the product. */
export async function answerSendRefusals<Ok>(work: () => Promise<Ok>): Promise<Ok | OtherAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestRefused) return refuse(error.message);
    throw error;
  }
}

/** The answers of an endpoint: its own, and those that every one of them can give. */
export function addSendErrors<Ok extends TSchema>(
  ok: Ok,
): { readonly 200: Ok; readonly [status: number]: TSchema } {
  return { 200: ok, 400: SendError, 500: SendError };
}
