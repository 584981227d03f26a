import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { jsonTypeOf, typedText } from '../typed-text.ts';
import { sentenceFor } from './validation-sentence.ts';

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
  return (given: unknown) => {
    const value = httpPart === 'body' ? given : withTypedTexts(schema, present(httpPart, schema, given));
    if (validator.Check(value)) return { value };
    return { error: new RequestInvalid(sentenceFor(httpPart, schema, value, validator.Errors(value))) };
  };
};

function present(httpPart: string, schema: TSchema, given: unknown): unknown {
  if (httpPart !== 'querystring' || typeof given !== 'object' || given === null) return given;
  const required: readonly unknown[] = 'required' in schema ? (schema.required as unknown[]) : [];
  const isLeftOut = ([name, value]: [string, unknown]) => value === '' && !required.includes(name);
  const entries = Object.entries(given);
  return entries.some(isLeftOut) ? Object.fromEntries(entries.filter((entry) => !isLeftOut(entry))) : given;
}

/** One level deep, as texts come: a repeated name is an array, and a single one for which an array is asked becomes one. */
function withTypedTexts(schema: TSchema, given: unknown): unknown {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property === undefined ? value : withType(property, value)];
    }),
  );
}

function withType(schema: TSchema, value: unknown): unknown {
  if (jsonTypeOf(schema) === 'array' && 'items' in schema) {
    const items = schema.items as TSchema;
    return (Array.isArray(value) ? value : [value]).map((item) => withType(items, item));
  }
  return typeof value === 'string' ? typedText(schema, value) : value;
}
