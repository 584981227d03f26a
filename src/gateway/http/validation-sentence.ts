import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { formatForError } from '../../common/format-for-error.ts';

const PARTS: Readonly<Record<string, string>> = {
  querystring: 'query parameter',
  params: 'path parameter',
  headers: 'header',
  body: 'body field',
};

const MAX_NAME_LENGTH = 100;

/** What is wrong first, as one sentence: which parameter, what it must be, and what it is. */
export function sentenceFor(
  httpPart: string,
  schema: TSchema,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): string {
  const part = PARTS[httpPart] ?? httpPart;
  const error = errors.find((candidate) => candidate.keyword !== 'boolean');
  if (error === undefined) return `${part}s are not what this endpoint takes`;
  const where = nameOf(error.instancePath);
  const subject = where === '' ? `the ${httpPart === 'body' ? 'body' : `${part}s`}` : `${part} ${where}`;
  if (error.keyword === 'required')
    return `${part} ${within(where, first(error.params.requiredProperties))} is missing`;
  if (error.keyword === 'additionalProperties') {
    const unknown = within(where, first(error.params.additionalProperties));
    return `${part} ${unknown} is not known${known(schema, where)}`;
  }
  const found = valueAt(value, error.instancePath);
  if (httpPart === 'querystring' && Array.isArray(found) && !error.keyword.endsWith('Items')) {
    return `${subject} is given ${found.length} times; give it once`;
  }
  return `${subject} ${demand(error, errors)}, got ${formatForError(found)}`;
}

/** @param name of a parameter, or a field of the body, in which the character U+0000 is */
export function unstorable(httpPart: string, name: string): string {
  return `${PARTS[httpPart] ?? httpPart} ${name} must not hold the character U+0000`;
}

/** `must be ...`, from the keyword that failed. */
function demand(error: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${describeType(error.params.type)}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'const':
    case 'anyOf':
      return `must be ${alternatives(error.instancePath, errors)}`;
    case 'pattern':
      return `must have the form ${error.params.pattern}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${error.params.comparison} ${error.params.limit}`;
    case 'minLength':
      return `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'minItems':
      return `must have at least ${error.params.limit} elements`;
    case 'maxItems':
      return `must have at most ${error.params.limit} elements`;
    default:
      return error.message;
  }
}

/** A union fails with one error for each of its members, all at the same place. */
function alternatives(instancePath: string, errors: readonly TLocalizedValidationError[]): string {
  const members = errors.flatMap((error) => {
    if (error.instancePath !== instancePath) return [];
    if (error.keyword === 'const') return [String(error.params.allowedValue)];
    return error.keyword === 'type' ? [describeType(error.params.type)] : [];
  });
  const distinct = [...new Set(members)];
  return distinct.length === 1 ? String(distinct[0]) : `one of ${distinct.join(', ')}`;
}

function describeType(type: string | readonly string[]): string {
  const names: Readonly<Record<string, string>> = {
    integer: 'a whole number',
    number: 'a number',
    string: 'a text',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
    null: 'null',
  };
  return [type]
    .flat()
    .map((name) => names[name] ?? name)
    .join(' or ');
}

/** `/items/0/mint` as `items[0].mint`. */
function nameOf(pointer: string): string {
  return segments(pointer).reduce(
    (name, segment) => (/^\d+$/.test(segment) ? `${name}[${segment}]` : within(name, segment)),
    '',
  );
}

function within(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (inner, segment) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[segment] : undefined,
    value,
  );
}

function known(schema: TSchema, where: string): string {
  if (where !== '' || !('properties' in schema)) return '';
  return `; known are ${Object.keys(schema.properties as object).join(', ')}`;
}

function first(names: readonly string[]): string {
  return (names[0] ?? '').slice(0, MAX_NAME_LENGTH);
}
