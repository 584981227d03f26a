import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { OpenApiDocument } from '../gateway/docs/openapi.ts';

type Json = Readonly<Record<string, unknown>>;

/** The document with every schema written out where it is used, for what does not follow references. */
export function writeOut(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  const full = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(full);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...rest } = value as Json;
    const named = typeof reference === 'string' ? schemas[reference.split('/').at(-1) ?? ''] : {};
    return Object.fromEntries(Object.entries({ ...named, ...rest }).map(([key, each]) => [key, full(each)]));
  };
  return { ...document, paths: full(document.paths) as OpenApiDocument['paths'] };
}

const validators = new Map<Json, Validator>();

/**
 * What is wrong with an answer by the document that the gateway serves of itself; empty when nothing is.
 * @param document - Written out.
 */
export function faultsOf(
  document: OpenApiDocument,
  { method, path, status, body }: { method: string; path: string; status: number; body: unknown },
): readonly string[] {
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses;
  const response = responses?.[status] as { content?: Record<string, { schema: Json }> } | undefined;
  if (response === undefined) return [`${status} is not documented`];
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) return [];
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema as TSchema);
    validators.set(schema, validator);
  }
  const wrong = validator.Errors(body).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [...wrong, ...undocumented(schema, body).map((name) => `${name} is not documented`)];
}

/** The members of a value that its schema says nothing about, which a schema that is open lets pass. */
function undocumented(schema: Json, value: unknown, name = ''): readonly string[] {
  if (Array.isArray(schema.anyOf)) {
    const found = schema.anyOf.map((each: Json) => undocumented(each, value, name));
    return found.find((each) => each.length === 0) ?? found[0] ?? [];
  }
  if (Array.isArray(value)) {
    const items = (schema.items ?? {}) as Json;
    return value.flatMap((each, index) => undocumented(items, each, `${name}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, patternProperties, additionalProperties } = schema;
  const [others] = [...Object.values(patternProperties ?? {}), additionalProperties];
  return Object.entries(value).flatMap(([key, each]) => {
    const known = (properties as Record<string, Json>)[key] ?? others;
    const full = `${name}.${key}`;
    return typeof known === 'object' ? undocumented(known as Json, each, full) : [full];
  });
}
