/** A schema of the OpenAPI document, as the gateway writes it. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly minProperties?: number;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The named schemas of a document. */
export type NamedNodes = Readonly<Record<string, SchemaNode>>;

const REFERENCE_PREFIX = '#/components/schemas/';

/** Returns the name that a schema refers to, or null if it is written out. */
export function getReferenceName({ $ref }: SchemaNode): string | null {
  return $ref?.startsWith(REFERENCE_PREFIX) === true ? $ref.slice(REFERENCE_PREFIX.length) : null;
}

/**
 * Returns the schema itself: a reference is followed, and what stands beside it holds before what it refers to. The members of
 * `allOf` become one object. A name that the document does not have is a schema that allows everything.
 */
export function resolveNode(node: SchemaNode, named: NamedNodes): SchemaNode {
  const name = getReferenceName(node);
  if (name !== null) {
    const { $ref: _, ...beside } = node;
    const referred = Object.hasOwn(named, name) ? named[name] : undefined;
    // A reference to a reference does not occur in our documents, and could be a circle in another one.
    const { $ref: __, ...own } = referred ?? {};
    return resolveNode({ ...own, ...beside }, named);
  }
  if (node.allOf === undefined) return node;
  const { allOf, ...rest } = node;
  const members = allOf.map((each) => resolveNode(each, named));
  return {
    type: 'object',
    ...rest,
    properties: Object.assign({}, ...members.map(({ properties }) => properties)) as NamedNodes,
    required: [...new Set(members.flatMap(({ required = [] }) => required))],
  };
}

/** Returns the alternatives of a schema; a schema without alternatives is its only one. */
export function listVariants(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf ?? node.oneOf ?? [node];
}

/** Whether a schema allows null alone. */
export function isNullNode(node: SchemaNode): boolean {
  return node.type === 'null' || node.const === null;
}

/**
 * Returns the bounds of a schema as one text for a reader, such as `0 to 10000` or `at most 50 elements`; empty where it has
 * none.
 */
export function describeBounds(node: SchemaNode): string {
  const parts = [
    describeRange(node.minimum, node.maximum, ''),
    ...(node.exclusiveMinimum === undefined ? [] : [`above ${node.exclusiveMinimum}`]),
    ...(node.exclusiveMaximum === undefined ? [] : [`below ${node.exclusiveMaximum}`]),
    describeRange(node.minLength, node.maxLength, 'character'),
    describeRange(node.minItems, node.maxItems, 'element'),
    ...(node.pattern === undefined ? [] : [describePattern(node.pattern)]),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Most patterns of our interface are whole numbers in a text. */
function describePattern(pattern: string): string {
  const [, least, most] = /^\^(?:\[0-9\]|\\d)\{(\d+),(\d+)\}\$$/.exec(pattern) ?? [];
  if (least !== undefined) return `${least} to ${most} digits`;
  const [, further] = /^\^\(0\|\[1-9\]\[0-9\]\{0,(\d+)\}\)\$$/.exec(pattern) ?? [];
  return further === undefined ? `matches ${pattern}` : `1 to ${Number(further) + 1} digits`;
}

function describeRange(least: number | undefined, most: number | undefined, unit: string): string {
  const withUnit = (bound: number) => `${bound}${unit === '' ? '' : ` ${unit}${bound === 1 ? '' : 's'}`}`;
  if (least !== undefined && most !== undefined)
    return least === most ? withUnit(least) : `${least} to ${withUnit(most)}`;
  if (least !== undefined) return `at least ${withUnit(least)}`;
  return most === undefined ? '' : `at most ${withUnit(most)}`;
}
