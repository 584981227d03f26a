import { type TSchema, Type } from 'typebox';
import type { InvalidRequest, InvalidValue } from '../../endpoint.ts';
import { OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { OrderRefused, type OrderRefusalKind } from '../../../waiting-orders/order-refused.ts';

export const TriggerError = named(
  'TriggerError',
  Type.Object({
    error: Type.String({ description: 'A sentence, or a text that clients compare.' }),
    details: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'What is wrong with each field, by its name.',
      }),
    ),
  }),
);

/** The text with which clients recognise a request that does not have the right form. */
export const VALIDATION_FAILED = 'Request validation failed';

const STATUS: Readonly<Record<OrderRefusalKind, 400 | 403 | 404 | 409>> = {
  invalid: 400,
  'invalid field': 400,
  'not the owner': 403,
  'not found': 404,
  exists: 409,
};

export function answerTriggerError(
  status: number,
  error: string,
  details?: Readonly<Record<string, unknown>>,
): OtherAnswer {
  return new OtherAnswer(status, details === undefined ? { error } : { error, details });
}

/** A value has the right type and yet cannot be what it should be. It is answered like a value that does not fit its schema. */
class FieldRefused extends Error {
  override readonly name = 'FieldRefused';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Refuses a request for one of its fields, with the words of `Request validation failed`. */
export function refuseField(field: string, message: string): never {
  throw new FieldRefused(field, message);
}

/** Answers what an endpoint threw, if it is a refusal. Returns null for anything else. */
export function findRefusalAnswer(thrown: unknown): OtherAnswer | null {
  if (thrown instanceof FieldRefused)
    return answerTriggerError(400, VALIDATION_FAILED, { [thrown.field]: thrown.message });
  if (thrown instanceof OrderRefused) {
    const { kind, field, message } = thrown;
    if (kind === 'invalid field' && field !== null) {
      return answerTriggerError(400, VALIDATION_FAILED, { [field]: message });
    }
    return answerTriggerError(STATUS[kind], message, field === null ? undefined : { [field]: message });
  }
  return thrown instanceof RequestRefused ? answerTriggerError(400, thrown.message) : null;
}

/**
 * Answers a request that does not fit the schemas, with a sentence for each field.
 * @param body - The schema of the body, which says what a missing field should have been.
 */
export function toInvalidAnswer(
  { message, invalid = [] }: InvalidRequest,
  body: TSchema | undefined,
): OtherAnswer {
  const details =
    invalid.length === 0
      ? { request: message }
      : Object.fromEntries(
          invalid.map((value) => [value.name === '' ? 'body' : value.name, describe(value, body)]),
        );
  return answerTriggerError(400, VALIDATION_FAILED, details);
}

/** Answers a body that is not JSON. */
export function toUnreadableAnswer(message: string): OtherAnswer {
  return answerTriggerError(400, VALIDATION_FAILED, { body: message });
}

/** Says what a value must be in the words of the public service, which clients show to their users. */
function describe({ name, keyword, demand, found }: InvalidValue, body: TSchema | undefined): string {
  const { type, limit, allowedValues, comparison } = demand as Demand;
  switch (keyword) {
    case 'required': {
      const { properties = {} } = (body ?? {}) as {
        readonly properties?: Readonly<Record<string, Property>>;
      };
      const { type: missing = 'a value', enum: choices } = properties[name] ?? {};
      return choices === undefined
        ? `Invalid input: expected ${missing}, received undefined`
        : describeChoices(choices);
    }
    case 'type':
      return `Invalid input: expected ${[type].flat().join(' or ')}, received ${nameType(found)}`;
    case 'enum':
      return describeChoices(allowedValues ?? []);
    case 'minimum':
    case 'exclusiveMinimum':
      return `Too small: expected number to be ${comparison}${limit}`;
    case 'maximum':
    case 'exclusiveMaximum':
      return `Too big: expected number to be ${comparison}${limit}`;
    case 'minLength':
      return `Too small: expected string to have >=${limit} characters`;
    case 'maxLength':
      return `Too big: expected string to have <=${limit} characters`;
    default:
      return 'Invalid input';
  }
}

function describeChoices(choices: readonly unknown[]): string {
  return `Invalid option: expected one of ${choices.map((each) => JSON.stringify(each)).join('|')}`;
}

/** What is read of the schema of a field. */
interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** What is read of the parameters of an error. */
interface Demand {
  readonly type?: string | readonly string[];
  readonly limit?: number;
  readonly comparison?: string;
  readonly allowedValues?: readonly unknown[];
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
