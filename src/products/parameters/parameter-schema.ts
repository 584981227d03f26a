import { type TSchema, Type } from 'typebox';

/** Bounds of a whole number, both included. */
export interface IntegerBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * The keyword under which a schema holds the schema of the value that a text stands for; the documentation shows that
 * instead.
 */
const STANDS_FOR = 'x-stands-for';

/**
 * A query parameter that is validated as a text, because its reader refuses values with better sentences than a schema
 * can, and documented with its real type.
 * @param standsFor - The JSON schema of what the text may hold.
 * @param choices - The only texts that pass validation; without them, any text passes.
 */
export function textFor(
  standsFor: Readonly<Record<string, unknown>>,
  description: string,
  choices?: readonly string[],
) {
  const options = { description, [STANDS_FOR]: standsFor };
  return Type.String(choices === undefined ? options : { ...options, enum: [...choices] });
}

/**
 * A query parameter that holds a list of texts. The gateway reads every form that clients send: separated by commas,
 * with the name repeated, with brackets after the name, and any mixture of these.
 * @param documentedAs - The documented type, from which generated clients derive the form they send.
 */
export function listText(description: string, documentedAs: 'string' | 'array' = 'string') {
  const standsFor =
    documentedAs === 'string' ? { type: 'string' } : { type: 'array', items: { type: 'string' } };
  return Type.Array(Type.String(), { description, [STANDS_FOR]: standsFor });
}

/** Documents the value of an absent parameter, in its schema. */
export function documentDefault(schema: TSchema, value: string | number | boolean): void {
  const documented =
    STANDS_FOR in schema
      ? { [STANDS_FOR]: { ...(schema[STANDS_FOR] as object), default: value } }
      : { default: value };
  Object.assign(schema, documented);
}

/** The keyword of a text that holds a list. */
const JOINED_LIST = 'x-joined-list';

/**
 * A query parameter that holds a list of texts, which its endpoint takes as one text with commas. The gateway reads every
 * form that clients send, as for `listText`, and joins them.
 */
export function joinedListText(description: string) {
  return Type.String({ description, [STANDS_FOR]: { type: 'string' }, [JOINED_LIST]: true });
}

/** Whether a parameter is a `joinedListText`. */
export function isJoinedList(schema: TSchema): boolean {
  return JOINED_LIST in schema;
}

/**
 * Replaces texts by the types that they are documented with.
 * @param schema - The schema of a query or a body, as it is validated.
 * @returns the schema with the real types of its members, for the documentation
 */
export function documentMembers(schema: TSchema): TSchema {
  if (!('properties' in schema)) return schema;
  const properties = Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => {
    const standsFor = STANDS_FOR in property ? (property[STANDS_FOR] as object) : null;
    if (standsFor === null) return [name, property];
    const description = 'description' in property ? { description: property.description } : {};
    return [name, { ...standsFor, ...description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
