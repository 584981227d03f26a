import {
  getReferenceName,
  isNullNode,
  listVariants,
  type NamedNodes,
  resolveNode,
  type SchemaNode,
} from './schema.ts';

/** Longer lists of values are cut off in a label. */
const MAX_VALUES = 12;
/** Lists, maps and alternatives around an object that are looked through. */
const MAX_LAYERS = 20;

/**
 * Returns the type of a schema in one line, in the notation of TypeScript. A named schema is called by its name.
 *
 * @example
 * ```ts
 * import { describeType } from './type-label.ts';
 *
 * describeType({ type: 'array', items: { $ref: '#/components/schemas/Order' } }); // 'Order[]'
 * ```
 */
export function describeType(node: SchemaNode): string {
  const name = getReferenceName(node);
  if (name !== null) return name;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return describeValues(node.enum);
  const joined = node.anyOf ?? node.oneOf;
  if (joined !== undefined) return [...new Set(joined.map(describeType))].join(' | ');
  if (node.allOf !== undefined) return node.allOf.map(describeType).join(' & ');
  if (node.type === 'array') {
    const item = describeType(node.items ?? {});
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  const others = getFreeMember(node);
  if (node.type === 'object' && others !== null) return `{ [name]: ${describeType(others)} }`;
  return node.format === 'binary' ? 'file' : (node.type ?? 'any');
}

/** Returns the schema of the members whose names are free; null if an object has none. */
export function getFreeMember({ patternProperties, additionalProperties }: SchemaNode): SchemaNode | null {
  const [pattern] = Object.values(patternProperties ?? {});
  return pattern ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
}

/** An object that a schema has in it, itself or as the elements of a list or map. */
export interface InnerObject {
  /** Null: the object has no name of its own. */
  readonly name: string | null;
  readonly members: readonly ObjectMember[];
}

export interface ObjectMember {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
}

/** Lists the objects in a schema: more than one where it has alternatives. A scalar has none. */
export function listInnerObjects(node: SchemaNode, named: NamedNodes): readonly InnerObject[] {
  return findInnerObjects(node, named, 0);
}

function findInnerObjects(node: SchemaNode, named: NamedNodes, depth: number): readonly InnerObject[] {
  // A list of itself would go on for ever.
  if (depth > MAX_LAYERS) return [];
  const findIn = (inner: SchemaNode) => findInnerObjects(inner, named, depth + 1);
  const resolved = resolveNode(node, named);
  const variants = listVariants(resolved).filter((each) => !isNullNode(each));
  const [only] = variants;
  if (variants.length > 1) return variants.flatMap(findIn);
  if (only !== undefined && only !== resolved) return findIn(only);
  if (resolved.type === 'array') return findIn(resolved.items ?? {});
  if (resolved.properties !== undefined) {
    const required = new Set(resolved.required);
    const members = Object.entries(resolved.properties).map(([name, schema]) => ({
      name,
      schema,
      isRequired: required.has(name),
    }));
    return [{ name: getReferenceName(node), members }];
  }
  const others = getFreeMember(resolved);
  return others === null ? [] : findIn(others);
}

function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MAX_VALUES ? ['…'] : [])].join(' | ');
}
