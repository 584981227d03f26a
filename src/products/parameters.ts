import { type TSchema, Type } from 'typebox';

/** Bounds of a whole number, both included. One object serves the schema and the reader of a parameter. */
export interface IntegerBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** The keyword under which a schema says what a text stands for; the documentation shows that in its place. */
export const STANDS_FOR = 'x-stands-for';

/**
 * A query parameter that is validated as a text, because its reader refuses values with better sentences than a schema
 * can, and documented with its real type.
 * @param standsFor the JSON schema of what the text may hold
 */
export function textFor(standsFor: Readonly<Record<string, unknown>>, description: string) {
  return Type.String({ description, [STANDS_FOR]: standsFor });
}

/** A whole number within bounds. @param defaultValue taken when the parameter is absent; null: there is none */
export function integerText(bounds: IntegerBounds, description: string, defaultValue: number | null = null) {
  return textFor(
    { type: 'integer', ...bounds, ...(defaultValue === null ? {} : { default: defaultValue }) },
    description,
  );
}

/** @returns the schema with the real types of its parameters, for the documentation */
export function documentedQuery(schema: TSchema): TSchema {
  if (!('properties' in schema)) return schema;
  const properties = Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => {
    const standsFor = STANDS_FOR in property ? (property[STANDS_FOR] as object) : null;
    if (standsFor === null) return [name, property];
    const description = 'description' in property ? { description: property.description } : {};
    return [name, { ...standsFor, ...description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
