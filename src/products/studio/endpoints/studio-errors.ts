import { type TSchema, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { type StudioRefusalKind, StudioRefused } from '../../../studio/studio-refused.ts';
import { type InvalidRequest, type InvalidValue, OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';

/** The body of every error of the product. */
export const StudioError = named(
  'StudioError',
  Type.Object({
    error: Type.Optional(Type.String({ description: 'What is wrong, as a sentence.' })),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          'What is wrong with each field, by its name. An inner field has the outer names before it, with dots.',
      }),
    ),
    details: Type.Optional(
      Type.String({ description: 'More about an error that is not the fault of the request.' }),
    ),
  }),
);

/** The name under which the body itself is said to be wrong. */
const BODY = 'body';

const STATUS: Readonly<Record<StudioRefusalKind, 400 | 403 | 404>> = {
  invalid: 400,
  'not the owner': 403,
  'not found': 404,
};

/** What answers in the form of the product what the gateway finds wrong. */
export const STUDIO_ERROR_FORM = {
  onInvalid: (_body: unknown, error: InvalidRequest) => toInvalidAnswer(error),
  onUnreadable: (error: string) => new OtherAnswer(400, { error }),
  onDefect: (message: string) => ({ error: message, details: 'The log of the gateway says more.' }),
};

/** Answers a refusal that the work throws in the form of the product. */
export async function answerStudioRefusals<Ok>(work: () => Promise<Ok>): Promise<Ok | OtherAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StudioRefused) return toRefusalAnswer(error);
    if (error instanceof RequestRefused) return new OtherAnswer(400, { error: error.message });
    throw error;
  }
}

/** The answers of an endpoint: its own, those that every one of them can give, and others with the same body. */
export function addStudioErrors<Ok extends TSchema>(
  ok: Ok,
  ...others: readonly number[]
): { readonly 200: Ok; readonly [status: number]: TSchema } {
  const more = Object.fromEntries(others.map((status) => [status, StudioError]));
  return { ...more, 200: ok, 400: StudioError, 500: StudioError };
}

function toRefusalAnswer({ kind, field, message }: StudioRefused): OtherAnswer {
  return new OtherAnswer(
    STATUS[kind],
    field === null ? { error: message } : { errors: { [field]: [message] } },
  );
}

function toInvalidAnswer({ message, invalid = [] }: InvalidRequest): OtherAnswer {
  const errors =
    invalid.length === 0
      ? { [BODY]: [message] }
      : Object.fromEntries(invalid.map((value) => [value.name || BODY, [describeInvalidField(value)]]));
  return new OtherAnswer(400, { errors });
}

/** Says in a sentence what is wrong with a value. */
function describeInvalidField({ name, keyword, demand, found }: InvalidValue): string {
  const subject = name || 'the body';
  if (keyword === 'required') return `${subject} is missing`;
  return `${subject} must ${describeDemand(keyword, demand as FieldDemand)}, got ${formatForError(found)}`;
}

function describeDemand(keyword: string, { type, limit, allowedValues, comparison }: FieldDemand): string {
  switch (keyword) {
    case 'type':
      return `be of the type ${[type]
        .flat()
        .filter((each) => each !== 'null')
        .join(' or ')}`;
    case 'enum':
      return `be one of ${(allowedValues ?? []).join(', ')}`;
    case 'minLength':
      return `have at least ${limit} ${limit === 1 ? 'character' : 'characters'}`;
    case 'maxLength':
      return `have at most ${limit} characters`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `be ${comparison} ${limit}`;
    default:
      return 'have the documented form';
  }
}

/** What is read of the parameters of an error. */
interface FieldDemand {
  readonly type?: string | readonly string[];
  readonly limit?: number;
  readonly comparison?: string;
  readonly allowedValues?: readonly unknown[];
}
