import type { TSchema } from 'typebox';
import { getJsonType } from '../../common/typed-text.ts';
import { getProperties, getRequiredNames } from './object-schema.ts';

type RemoveNulls = (value: unknown) => unknown;

/**
 * Creates a function that leaves out the optional fields of a body whose value is null, at any depth: clients with fixed
 * structures send null for what they leave out. A field whose schema has a meaning for null keeps it, and so does a field
 * that the schema does not name or that is required.
 * Returns null if there is no such field in the schema.
 */
export function createNullRemover(schema: TSchema): RemoveNulls | null {
  if (getJsonType(schema) === 'array' && 'items' in schema) {
    const remove = createNullRemover(schema.items as TSchema);
    return remove === null ? null : (value) => (Array.isArray(value) ? value.map(remove) : value);
  }
  if ('properties' in schema) return createObjectNullRemover(schema);
  const members = 'anyOf' in schema ? (schema.anyOf as readonly TSchema[]) : [];
  const removers = members.map(createNullRemover).filter((remove) => remove !== null);
  // Of several members with fields, the one that a value belongs to is not known before it is validated.
  return removers.length === 1 ? (removers[0] ?? null) : null;
}

function createObjectNullRemover(schema: TSchema): RemoveNulls | null {
  const properties = Object.entries(getProperties(schema));
  const required = getRequiredNames(schema);
  const names = properties
    .filter(([name, property]) => !required.includes(name) && !allowsNull(property))
    .map(([name]) => name);
  const inner = properties.flatMap(([name, property]) => {
    const remove = createNullRemover(property);
    return remove === null ? [] : [[name, remove] as const];
  });
  if (names.length === 0 && inner.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const fields = new Map(Object.entries(value));
    for (const name of names) if (fields.get(name) === null) fields.delete(name);
    for (const [name, remove] of inner) if (fields.has(name)) fields.set(name, remove(fields.get(name)));
    return Object.fromEntries(fields);
  };
}

/** Whether null is a value of a schema. A schema without a type or a choice says nothing about its value, so it is. */
function allowsNull(schema: TSchema): boolean {
  if ('anyOf' in schema) return (schema.anyOf as readonly TSchema[]).some(allowsNull);
  if ('enum' in schema) return (schema.enum as readonly unknown[]).includes(null);
  if ('const' in schema) return schema.const === null;
  const type = getJsonType(schema);
  return type === undefined || [type].flat().includes('null');
}
