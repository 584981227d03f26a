import type { TSchema } from 'typebox';

/** Returns the members of the schema of an object by their names. Another schema has none. */
export function getProperties(schema: TSchema): Readonly<Record<string, TSchema>> {
  return 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
}

/** Returns the names of the members that the schema of an object requires. */
export function getRequiredNames(schema: TSchema): readonly unknown[] {
  return 'required' in schema ? (schema.required as unknown[]) : [];
}
