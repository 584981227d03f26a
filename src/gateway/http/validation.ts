import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonTypeOf, typedText } from '../../common/typed-text.ts';
import { sentenceFor, unstorable } from './validation-sentence.ts';

/** A request does not fit its route's schema; `message` is a sentence for its author. Answered with 400. */
export class RequestInvalid extends Error {
  override readonly name = 'RequestInvalid';
  readonly statusCode = 400;
}

/**
 * Checks requests against TypeBox schemas. What comes as text (query, path, headers) is read by the type that is
 * asked for, exactly; a body is JSON already and nothing in it is converted. Query parameters without a value, as forms
 * and clients write what they leave out, are absent.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const validator = Compile(schema);
  const read = httpPart === 'body' ? (given: unknown) => given : readerOf(schema, httpPart);
  return (given: unknown) => {
    const value = read(given);
    if (validator.Check(value)) {
      const name = nameOfUnstorable(value);
      return name === null ? { value } : { error: new RequestInvalid(unstorable(httpPart, name)) };
    }
    return { error: new RequestInvalid(sentenceFor(httpPart, schema, value, validator.Errors(value))) };
  };
};

/**
 * PostgreSQL holds every text but one with the character U+0000, which nothing here needs. No recursion: a body may be
 * nested as deep as it is long.
 * @returns the name, at the top level, of what has such a text in it; null: nothing has
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

/** One level deep, as texts come: a repeated name is an array, and a single one for which an array is asked becomes one. */
function readerOf(schema: TSchema, httpPart: string): (given: unknown) => unknown {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  const required: readonly unknown[] = 'required' in schema ? (schema.required as unknown[]) : [];
  const isLeftOut = (name: string, value: unknown): boolean =>
    value === '' && httpPart === 'querystring' && !required.includes(name);
  /** What is not text to the handler either. */
  const typed = new Map(Object.entries(properties).filter(([, each]) => jsonTypeOf(each) !== 'string'));
  const readAll = (entries: readonly [string, unknown][]) =>
    Object.fromEntries(
      entries
        .filter(([name, value]) => !isLeftOut(name, value))
        .map(([name, value]) => {
          const property = typed.get(name);
          return [name, property === undefined ? value : withType(property, value)];
        }),
    );
  return (given) => {
    if (typeof given !== 'object' || given === null) return given;
    const entries = Object.entries(given);
    // Most requests hold nothing but text, and stay the objects that they are.
    const isToRead = entries.some(([name, value]) => typed.has(name) || isLeftOut(name, value));
    return isToRead ? readAll(entries) : given;
  };
}

function withType(schema: TSchema, value: unknown): unknown {
  if (jsonTypeOf(schema) === 'array' && 'items' in schema) {
    const items = schema.items as TSchema;
    return (Array.isArray(value) ? value : [value]).map((item) => withType(items, item));
  }
  return typeof value === 'string' ? typedText(schema, value) : value;
}
