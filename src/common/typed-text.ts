/**
 * Converts a text from a command line, an environment variable or a URL to the JSON type of its schema.
 *
 * @param schema - A JSON schema.
 * @returns The number or boolean, or `text` itself when it does not have that form. Validation then refuses it.
 *
 * @example
 * ```ts
 * import { parseTypedText } from './typed-text.ts';
 *
 * parseTypedText({ type: 'integer' }, '30'); // 30
 * parseTypedText({ type: 'integer' }, 'many'); // 'many'
 * ```
 */
export function parseTypedText(schema: object, text: string): unknown {
  const type = getJsonType(schema);
  if (type === 'integer' && /^-?(0|[1-9]\d*)$/.test(text)) return Number(text);
  if (type === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Returns the `type` of a JSON schema, or undefined for a schema without one, such as a union. */
export function getJsonType(schema: object): unknown {
  return 'type' in schema ? schema.type : undefined;
}
