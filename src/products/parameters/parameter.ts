import {
  type Static,
  type TObject,
  type TObjectOptions,
  type TOptional,
  type TSchema,
  type TString,
  Type,
} from 'typebox';
import { RequestRefused } from '../../common/request-refused.ts';
import { documentDefault } from './parameter-schema.ts';

/** The texts of a query by the names of its parameters; several if a name was repeated. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Refuses a request with a sentence for the client. */
export type Refuse = (sentence: string) => never;

/** Reads the value that a text stands for, or refuses the text with a sentence that begins with the parameter's name. */
export type ReadText<Value> = (text: string, name: string, refuse: Refuse) => Value;

/** A parameter of a query, or a field of a body. */
export interface Parameter<Value, Schema extends TSchema = TSchema> {
  /** What the gateway validates, and shows in the documentation. */
  readonly schema: Schema;
  /** Reads the value of a parameter that has passed validation. */
  readonly read: (given: unknown, name: string, refuse: Refuse) => Value;
}

type AnyParameters = Readonly<Record<string, Parameter<unknown>>>;

/** Reads a parameter by its name. */
export interface ReadParameter<Members extends AnyParameters> {
  <Name extends keyof Members & string>(name: Name): ReturnType<Members[Name]['read']>;
  /** Whether the request has the parameter, so that its value is not the default. */
  readonly isGiven: (name: keyof Members & string) => boolean;
}

/** The parameters of an endpoint: their schema, and the reader of their values. */
export interface DeclaredParameters<Members extends AnyParameters> {
  readonly schema: TObject<{ [Name in keyof Members]: Members[Name]['schema'] }>;
  /**
   * Returns a function that reads the parameters of one request. Each is read when it is asked for, so the order of these
   * calls decides which of several wrong parameters a request is refused for.
   */
  readonly reader: (given: object) => ReadParameter<Members>;
}

function refuseRequest(sentence: string): never {
  throw new RequestRefused(sentence);
}

/**
 * Declares the parameters of a query or a path. An empty text counts as absent, as for the gateway.
 * @param refuse - Throws the refusal of the product. Default: a `RequestRefused`.
 * @example
 * ```ts
 * import { integer } from './kinds.ts';
 * import { defineQuery, optional } from './parameter.ts';
 *
 * const PAGE = defineQuery({ limit: optional(integer({ minimum: 1, maximum: 100 }, 'Rows per page.'), 20) });
 * const read = PAGE.reader({ limit: '50' });
 * console.log(read('limit')); // 50
 * ```
 */
export function defineQuery<Members extends AnyParameters>(
  members: Members,
  refuse: Refuse = refuseRequest,
): DeclaredParameters<Members> {
  return declare(members, refuse, (text) => (text === '' ? undefined : text));
}

/**
 * Declares the fields of a body.
 * @param refuse - Throws the refusal of the product. Default: a `RequestRefused`.
 */
export function defineBody<Members extends AnyParameters>(
  members: Members,
  refuse: Refuse = refuseRequest,
  options: TObjectOptions = {},
): DeclaredParameters<Members> {
  return declare(members, refuse, (value) => value, options);
}

function declare<Members extends AnyParameters>(
  members: Members,
  refuse: Refuse,
  normalize: (given: unknown) => unknown,
  options: TObjectOptions = {},
): DeclaredParameters<Members> {
  const schemas = Object.entries(members).map(([name, { schema }]) => [name, schema]);
  return {
    schema: Type.Object(Object.fromEntries(schemas), options),
    reader: (given) => {
      const getGiven = (name: string) => normalize((given as Readonly<Record<string, unknown>>)[name]);
      return Object.assign((name: string) => members[name]?.read(getGiven(name), name, refuse) as never, {
        isGiven: (name: string) => (getGiven(name) ?? null) !== null,
      });
    },
  };
}

/** Declares a parameter that is one text. An absent one is read as an empty text. */
export function defineText<Value, Schema extends TSchema = TString>(
  schema: Schema,
  readText: ReadText<Value>,
): Parameter<Value, Schema> {
  return {
    schema,
    read: (given, name, refuse) => {
      if (Array.isArray(given)) refuse(`${name} is given ${given.length} times; give it once`);
      return readText(typeof given === 'string' ? given : '', name, refuse);
    },
  };
}

/** Declares a field of a body that is used as it is validated. */
export function defineField<Schema extends TSchema>(schema: Schema): Parameter<Static<Schema>, Schema> {
  return { schema, read: (given) => given as Static<Schema> };
}

/**
 * Makes a parameter optional.
 * @param defaultValue - The value of an absent one, which the documentation shows. Default: null, which it does not show.
 */
export function optional<Value, Schema extends TSchema>(
  parameter: Parameter<Value, Schema>,
): Parameter<Value | null, TOptional<Schema>>;
export function optional<Value, Schema extends TSchema>(
  parameter: Parameter<Value, Schema>,
  defaultValue: NoInfer<Value> & (string | number | boolean),
): Parameter<Value, TOptional<Schema>>;
export function optional(
  { schema, read }: Parameter<unknown>,
  defaultValue: string | number | boolean | null = null,
): Parameter<unknown> {
  const optionalSchema = Type.Optional(schema);
  if (defaultValue !== null) documentDefault(optionalSchema, defaultValue);
  return {
    schema: optionalSchema,
    read: (given, name, refuse) =>
      given === undefined || given === null ? defaultValue : read(given, name, refuse),
  };
}
