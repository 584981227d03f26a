/**
 * The value that a text from a command line, an environment or a URL says, by the JSON type that `schema` asks for.
 * A text that does not say such a value is returned as it is, for validation to refuse.
 */
export function typedText(schema: object, text: string): unknown {
  const type = jsonTypeOf(schema);
  if (type === 'integer' && /^-?(0|[1-9]\d*)$/.test(text)) return Number(text);
  if (type === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The `type` of a JSON schema, undefined where it has none, as a union. */
export function jsonTypeOf(schema: object): unknown {
  return 'type' in schema ? schema.type : undefined;
}
