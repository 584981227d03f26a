import { type TSchema, Type } from 'typebox';

/**
 * Names a schema in the OpenAPI document, where generated clients make a type of that name of it.
 * @param name - Unique among all schemas of all products, in PascalCase.
 * @param schema - A new schema. It is changed, because copies of a TypeBox schema lose what it is.
 * @example
 * ```ts
 * import { Type } from 'typebox';
 * import { named } from './named-schema.ts';
 *
 * export const CoinJson = named('Coin', Type.Object({ mint: Type.String() }));
 * ```
 */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return Object.assign(schema, { title: name });
}

/** The body of a refusal that consists of a sentence. */
export const RefusalJson = named('Refusal', Type.Object({ error: Type.String() }));
