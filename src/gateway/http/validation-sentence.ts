import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import type { InvalidValue } from '../../products/endpoint.ts';
import { findNearestName } from '../../common/nearest.ts';
import { formatForError } from '../../common/format-for-error.ts';

const PARTS: Readonly<Record<string, string>> = {
  querystring: 'query parameter',
  params: 'path parameter',
  headers: 'header',
  body: 'body field',
};

const MAX_NAME_LENGTH = 100;

/**
 * Describes the first error of a request as one sentence: which parameter, what it must be, and what it is.
 * @param httpPart - The part of the request: `querystring`, `params`, `headers` or `body`.
 * @param value - The part as it was checked.
 */
export function describeValidationError(
  httpPart: string,
  schema: TSchema,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): string {
  const part = PARTS[httpPart] ?? httpPart;
  const error = errors.find((candidate) => candidate.keyword !== 'boolean');
  if (error === undefined) return `${part}s are not what this endpoint takes`;
  const where = toFieldPath(error.instancePath);
  const subject = where === '' ? `the ${httpPart === 'body' ? 'body' : `${part}s`}` : `${part} ${where}`;
  if (error.keyword === 'required')
    return `${part} ${joinFieldPath(where, first(error.params.requiredProperties))} is missing`;
  if (error.keyword === 'additionalProperties') {
    const name = first(error.params.additionalProperties);
    return `${part} ${joinFieldPath(where, name)} is not known${describeKnownNames(schema, where, name)}`;
  }
  const found = valueAt(value, error.instancePath);
  if (httpPart === 'querystring' && Array.isArray(found) && !error.keyword.endsWith('Items')) {
    return `${subject} is given ${found.length} times; give it once`;
  }
  return `${subject} ${describeDemand(error, errors)}, got ${formatForError(found)}`;
}

/** How many wrong values are listed. */
const MAX_LISTED = 20;

/**
 * Lists the values that do not fit a schema, in the order of the errors. A value appears once, with its first error.
 * @param value - The part of the request as it was checked.
 */
export function listInvalidValues(
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): readonly InvalidValue[] {
  const byName = new Map<string, InvalidValue>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword === 'boolean' || byName.size >= MAX_LISTED) continue;
    const parent = toFieldPath(instancePath);
    const names =
      keyword === 'required'
        ? (params as { readonly requiredProperties: readonly string[] }).requiredProperties.map((name) =>
            joinFieldPath(parent, name),
          )
        : [parent];
    const found = keyword === 'required' ? undefined : valueAt(value, instancePath);
    for (const name of names.filter((each) => !byName.has(each)))
      byName.set(name, { name, keyword, demand: params as InvalidValue['demand'], found });
  }
  return [...byName.values()];
}

/**
 * Describes a text that cannot be stored.
 * @param name - The name of the parameter, or of the field of the body, that contains the character U+0000.
 */
export function describeUnstorable(httpPart: string, name: string): string {
  return `${PARTS[httpPart] ?? httpPart} ${name} must not hold the character U+0000`;
}

/** Returns `must be ...` for the keyword of the schema that failed. */
function describeDemand(
  error: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${describeTypes(error.instancePath, errors)}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'const':
    case 'anyOf':
      return `must be ${describeAlternatives(error.instancePath, errors)}`;
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

/** Lists the members of a union, which fails with one error for each of them at the same path. */
function describeAlternatives(instancePath: string, errors: readonly TLocalizedValidationError[]): string {
  const members = errors.flatMap((error) => {
    if (error.instancePath !== instancePath) return [];
    if (error.keyword === 'const') return [String(error.params.allowedValue)];
    return error.keyword === 'type' ? [describeType(error.params.type)] : [];
  });
  const distinct = [...new Set(members)];
  return distinct.length === 1 ? String(distinct[0]) : `one of ${distinct.join(', ')}`;
}

/**
 * Lists the types that a value may have, because a union fails with one error for each of them. Null is left out: a field that takes
 * it can be left out too.
 */
function describeTypes(instancePath: string, errors: readonly TLocalizedValidationError[]): string {
  const types = errors.flatMap((error) =>
    error.instancePath === instancePath && error.keyword === 'type' ? [error.params.type].flat() : [],
  );
  const named = types.filter((type) => type !== 'null');
  return describeType([...new Set(named.length === 0 ? types : named)]);
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

/** Writes a JSON pointer as a path: `/items/0/mint` as `items[0].mint`. */
function toFieldPath(pointer: string): string {
  return parsePointer(pointer).reduce(
    (name, segment) => (/^\d+$/.test(segment) ? `${name}[${segment}]` : joinFieldPath(name, segment)),
    '',
  );
}

function joinFieldPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (inner, segment) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[segment] : undefined,
    value,
  );
}

/** @param name - The name that the request has instead of one that the schema knows. */
function describeKnownNames(schema: TSchema, where: string, name: string): string {
  if (where !== '' || !('properties' in schema)) return '';
  const names = Object.keys(schema.properties as object);
  const meant = findNearestName(name, names);
  return `${meant === null ? '' : `; did you mean ${meant}?`}; known are ${names.join(', ')}`;
}

function first(names: readonly string[]): string {
  return (names[0] ?? '').slice(0, MAX_NAME_LENGTH);
}
