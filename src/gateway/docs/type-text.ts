import { REFERENCE } from './named-schemas.ts';

type Json = Record<string, unknown>;
type Schemas = Readonly<Record<string, Json>>;

/**
 * Writes a JSON schema in the notation of TypeScript types, with descriptions as comments.
 * @param schemas - The schemas that references name; they are written out.
 *
 * @example
 * ```ts
 * import { typeText } from './type-text.ts';
 *
 * typeText({ type: 'array', items: { type: 'string' } }, {}); // 'string[]'
 * ```
 */
export function typeText(schema: unknown, schemas: Schemas, indent = ''): string {
  if (typeof schema !== 'object' || schema === null) return 'unknown';
  const { $ref: reference, type, const: constant, enum: values, anyOf } = schema as Json;
  if (typeof reference === 'string')
    return typeText(schemas[reference.slice(REFERENCE.length)], schemas, indent);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((member) => typeText(member, schemas, indent)).join(' | ');
  if (type === 'array') return arrayText(schema as Json, schemas, indent);
  if (type === 'object') return objectText(schema as Json, schemas, indent);
  return typeof type === 'string' ? type : 'unknown';
}

function arrayText({ items }: Json, schemas: Schemas, indent: string): string {
  const text = typeText(items, schemas, indent);
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})[]` : `${text}[]`;
}

function objectText(
  { properties, required, patternProperties, additionalProperties }: Json,
  schemas: Schemas,
  indent: string,
): string {
  const inner = `${indent}  `;
  const names = Array.isArray(required) ? required : [];
  const lines = Object.entries((properties ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description } = property;
    const comment = typeof description === 'string' ? `  // ${description}` : '';
    return `${inner}${name}${names.includes(name) ? '' : '?'}: ${typeText(property, schemas, inner)}${comment}`;
  });
  const [rest] = Object.values((patternProperties ?? {}) as Json);
  const others = rest ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (others !== undefined) lines.push(`${inner}[key: string]: ${typeText(others, schemas, inner)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}
