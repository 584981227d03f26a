import { type ExactJson, toExactJson } from '../../base/exact-json.ts';
import {
  describeBounds,
  getReferenceName,
  isNullNode,
  listVariants,
  type NamedNodes,
  resolveNode,
  type SchemaNode,
} from '../model/schema.ts';

/** What all fields of a form have. */
export interface FormFieldFacts {
  /** The name of the member or parameter; empty for an element of a list and for a whole body. */
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether null may be sent. */
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  /** What the endpoint takes when the field is absent; null where the document does not say. */
  readonly fallback: ExactJson | null;
  /** The bounds as a text for a reader; empty where there are none. */
  readonly bounds: string;
}

/** A field of a form for one request. */
export type FormField = FormFieldFacts &
  (
    | {
        readonly kind: 'text';
        readonly minLength: number | null;
        readonly maxLength: number | null;
        readonly pattern: string | null;
      }
    | ({ readonly kind: 'integer' | 'number' } & NumberBounds)
    | { readonly kind: 'boolean' }
    | { readonly kind: 'choice'; readonly choices: readonly FieldChoice[] }
    | {
        readonly kind: 'list';
        readonly item: FormField;
        readonly minItems: number;
        readonly maxItems: number | null;
      }
    | { readonly kind: 'object'; readonly members: readonly FormField[] }
    | { readonly kind: 'map'; readonly value: FormField }
    | { readonly kind: 'variants'; readonly variants: readonly FieldVariant[] }
    | { readonly kind: 'json' }
    | { readonly kind: 'file' }
  );

export interface NumberBounds {
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly exclusiveMinimum: number | null;
  readonly exclusiveMaximum: number | null;
}

export interface FieldChoice {
  readonly label: string;
  readonly value: ExactJson;
}

export interface FieldVariant {
  /** What a chooser calls the variant, such as `text`, or the name of its schema. */
  readonly label: string;
  readonly field: FormField;
}

/** Deeper members are edited as JSON, which also ends schemas that contain themselves. */
const MAX_FIELD_DEPTH = 10;

/** What a field is made of. */
export interface FieldSource {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
  /** Default: the description of the schema. */
  readonly description?: string;
}

/**
 * Makes the field of a form for a schema.
 * @param named - The schemas that references name.
 *
 * @example
 * ```ts
 * import { toField } from './fields.ts';
 *
 * const schema = { type: 'string', enum: ['ExactIn', 'ExactOut'] };
 * toField({ name: 'swapMode', schema, isRequired: false }, {}).kind; // 'choice'
 * ```
 */
export function toField(source: FieldSource, named: NamedNodes): FormField {
  return makeField(source, named, 0);
}

function makeField(source: FieldSource, named: NamedNodes, depth: number): FormField {
  const { name, schema, isRequired } = source;
  const node = resolveNode(schema, named);
  const variants = listVariants(node).filter((each) => !isNullNode(each));
  const isNullable = isNullNode(node) || variants.length < listVariants(node).length;
  const [only] = variants;
  const facts: FormFieldFacts = {
    name,
    description: source.description ?? node.description ?? '',
    isRequired,
    isNullable,
    isDeprecated: node.deprecated === true,
    fallback: node.default === undefined ? null : toExactJson(node.default),
    bounds: describeBounds(only === undefined || variants.length > 1 ? node : resolveNode(only, named)),
  };
  if (only === undefined || depth > MAX_FIELD_DEPTH) return { ...facts, kind: 'json' };
  const choices = variants.map((variant) => listChoices(resolveNode(variant, named)));
  if (choices.every((each) => each !== null)) return { ...facts, kind: 'choice', choices: choices.flat() };
  if (variants.length === 1) return makeSingle(facts, resolveNode(only, named), named, depth);
  return {
    ...facts,
    kind: 'variants',
    variants: variants.map((variant) => {
      const field = makeField({ name: '', schema: variant, isRequired: true }, named, depth + 1);
      return { label: getReferenceName(variant) ?? describeKind(field), field };
    }),
  };
}

function makeSingle(facts: FormFieldFacts, node: SchemaNode, named: NamedNodes, depth: number): FormField {
  const { type, format, properties, patternProperties, additionalProperties } = node;
  if (node.anyOf !== undefined || node.oneOf !== undefined)
    return { ...makeField({ ...facts, schema: node }, named, depth + 1), isNullable: true };
  if (type === 'string' && format === 'binary') return { ...facts, kind: 'file' };
  if (type === 'string')
    return {
      ...facts,
      kind: 'text',
      minLength: node.minLength ?? null,
      maxLength: node.maxLength ?? null,
      pattern: node.pattern ?? null,
    };
  if (type === 'integer' || type === 'number') return { ...facts, kind: type, ...toNumberBounds(node) };
  if (type === 'boolean') return { ...facts, kind: 'boolean' };
  if (type === 'array') {
    const item = makeField({ name: '', schema: node.items ?? {}, isRequired: true }, named, depth + 1);
    return { ...facts, kind: 'list', item, minItems: node.minItems ?? 0, maxItems: node.maxItems ?? null };
  }
  if (properties !== undefined) {
    const required = new Set(node.required);
    const members = Object.entries(properties).map(([name, schema]) =>
      makeField({ name, schema, isRequired: required.has(name) }, named, depth + 1),
    );
    return { ...facts, kind: 'object', members };
  }
  const [others] = [...Object.values(patternProperties ?? {}), additionalProperties];
  if (type === 'object' && typeof others === 'object')
    return {
      ...facts,
      kind: 'map',
      value: makeField({ name: '', schema: others, isRequired: true }, named, depth + 1),
    };
  return { ...facts, kind: 'json' };
}

function toNumberBounds(node: SchemaNode): NumberBounds {
  return {
    minimum: node.minimum ?? null,
    maximum: node.maximum ?? null,
    exclusiveMinimum: node.exclusiveMinimum ?? null,
    exclusiveMaximum: node.exclusiveMaximum ?? null,
  };
}

/** Returns the values of a schema that allows only certain ones, or null. */
function listChoices(node: SchemaNode): readonly FieldChoice[] | null {
  const values = node.const === undefined ? node.enum : [node.const];
  return values?.map((value) => ({ label: String(value), value: toExactJson(value) })) ?? null;
}

const KIND_LABELS: Readonly<Record<FormField['kind'], string>> = {
  text: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  choice: 'one of',
  list: 'list',
  object: 'object',
  map: 'object',
  variants: 'variants',
  json: 'JSON',
  file: 'file',
};

function describeKind(field: FormField): string {
  if (field.kind !== 'choice') return KIND_LABELS[field.kind];
  return field.choices.map(({ label }) => label).join(' or ');
}
