import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { getJsonType, parseTypedText } from '../../common/typed-text.ts';
import { createNullRemover } from './null-fields.ts';
import { getProperties, getRequiredNames } from './object-schema.ts';
import { createListReader } from './query-lists.ts';
import type { InvalidValue } from '../../products/endpoint.ts';
import { describeValidationError, describeUnstorable, listInvalidValues } from './validation-sentence.ts';

/**
 * A request that does not fit its route's schema, or that the admin interface refuses. It is answered with its status, and
 * `message` is a sentence for the client.
 */
export class RequestInvalid extends Error {
  override readonly name = 'RequestInvalid';
  readonly statusCode: RefusalStatus;
  /** The values that do not fit. Empty if another rule refuses the request. */
  readonly invalid: readonly InvalidValue[];

  constructor(message: string, statusCode: RefusalStatus = 400, invalid: readonly InvalidValue[] = []) {
    super(message);
    this.statusCode = statusCode;
    this.invalid = invalid;
  }
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 429;

/**
 * Compiles a TypeBox schema to a validator of requests. Texts (query, path, headers) are converted exactly, by the type
 * that the schema asks for. A body is JSON already, and nothing in it is converted. An optional query parameter with an
 * empty value counts as absent, and so does an optional field of a body with null, because forms and clients send what they
 * leave out that way. A query parameter that is a list may be given in any form of one: see `createListReader`.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const validator = Compile(schema);
  const read = httpPart === 'body' ? createBodyReader(schema) : createPartReader(schema, httpPart);
  return (given: unknown) => {
    const value = read(given);
    if (validator.Check(value)) {
      const name = nameOfUnstorable(value);
      return name === null ? { value } : { error: new RequestInvalid(describeUnstorable(httpPart, name)) };
    }
    const errors = validator.Errors(value);
    const message = describeValidationError(httpPart, schema, value, errors);
    return { error: new RequestInvalid(message, 400, listInvalidValues(value, errors)) };
  };
};

/**
 * Finds a text with the character U+0000, the only one that PostgreSQL cannot store. It does not recurse, because a body
 * may be deeply nested.
 * Returns the top-level name of the value that contains such a text; null if there is none.
 */
function nameOfUnstorable(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, each] of Object.entries(value)) {
    const waiting: unknown[] = [each];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (typeof one === 'string' && one.includes('\0')) return name;
      if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) waiting.push(part);
    }
  }
  return null;
}

/** Returns a function that leaves out what a body has no value for, before it is validated. */
function createBodyReader(schema: TSchema): (given: unknown) => unknown {
  return createNullRemover(schema) ?? ((given) => given);
}

/** Returns a function that converts a part of a request by its schema, before that is validated. */
function createPartReader(schema: TSchema, httpPart: string): (given: unknown) => unknown {
  const read = createTypedReader(schema, httpPart);
  const readLists = httpPart === 'querystring' ? createListReader(getProperties(schema)) : null;
  if (readLists === null) return read;
  return (given) => read(typeof given === 'object' && given !== null ? readLists(given) : given);
}

/**
 * Creates a function that converts the texts of a query, path or header by their types. A repeated name is an array, and
 * a single value becomes an array if the schema asks for one.
 */
function createTypedReader(schema: TSchema, httpPart: string): (given: unknown) => unknown {
  const required = getRequiredNames(schema);
  const isAbsent = (name: string, value: unknown): boolean =>
    value === '' && httpPart === 'querystring' && !required.includes(name);
  /** The schemas of the properties that are converted. */
  const typed = new Map(
    Object.entries(getProperties(schema)).filter(([, each]) => getJsonType(each) !== 'string'),
  );
  const readAll = (entries: readonly [string, unknown][]) =>
    Object.fromEntries(
      entries
        .filter(([name, value]) => !isAbsent(name, value))
        .map(([name, value]) => {
          const property = typed.get(name);
          return [name, property === undefined ? value : convertValue(property, value)];
        }),
    );
  return (given) => {
    if (typeof given !== 'object' || given === null) return given;
    const entries = Object.entries(given);
    // Most requests hold nothing but texts and are returned as they are.
    const isConverted = entries.some(([name, value]) => typed.has(name) || isAbsent(name, value));
    return isConverted ? readAll(entries) : given;
  };
}

function convertValue(schema: TSchema, value: unknown): unknown {
  if (getJsonType(schema) === 'array' && 'items' in schema) {
    const items = schema.items as TSchema;
    return (Array.isArray(value) ? value : [value]).map((item) => convertValue(items, item));
  }
  return typeof value === 'string' ? parseTypedText(schema, value) : value;
}
