import { REFERENCE } from '../named-schemas.ts';

type JsonSchemaNode = Record<string, unknown>;
type SchemasByName = Readonly<Record<string, JsonSchemaNode>>;

/**
 * Writes a JSON schema in the notation of TypeScript types, with descriptions as comments.
 * @param schemas - The schemas that references name; they are written out.
 *
 * @example
 * ```ts
 * import { toTypeText } from './type-text.ts';
 *
 * toTypeText({ type: 'array', items: { type: 'string' } }, {}); // 'string[]'
 * ```
 */
export function toTypeText(schema: unknown, schemas: SchemasByName, indent = ''): string {
  if (typeof schema !== 'object' || schema === null) return 'unknown';
  const { $ref: reference, type, const: constant, enum: values, anyOf } = schema as JsonSchemaNode;
  if (typeof reference === 'string')
    return toTypeText(schemas[reference.slice(REFERENCE.length)], schemas, indent);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((member) => toTypeText(member, schemas, indent)).join(' | ');
  if (type === 'array') return toArrayText(schema as JsonSchemaNode, schemas, indent);
  if (type === 'object') return toObjectText(schema as JsonSchemaNode, schemas, indent);
  return typeof type === 'string' ? type : 'unknown';
}

function toArrayText({ items }: JsonSchemaNode, schemas: SchemasByName, indent: string): string {
  const text = toTypeText(items, schemas, indent);
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})[]` : `${text}[]`;
}

function toObjectText(
  { properties, required, patternProperties, additionalProperties }: JsonSchemaNode,
  schemas: SchemasByName,
  indent: string,
): string {
  const inner = `${indent}  `;
  const names = Array.isArray(required) ? required : [];
  const lines = Object.entries((properties ?? {}) as Record<string, JsonSchemaNode>).map(
    ([name, property]) => {
      const { description } = property;
      const comment = typeof description === 'string' ? `  // ${description}` : '';
      return `${inner}${name}${names.includes(name) ? '' : '?'}: ${toTypeText(property, schemas, inner)}${comment}`;
    },
  );
  const [rest] = Object.values((patternProperties ?? {}) as JsonSchemaNode);
  const others = rest ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (others !== undefined) lines.push(`${inner}[key: string]: ${toTypeText(others, schemas, inner)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}
