import type { Static, TSchema } from 'typebox';

/** The value that `accepts` checks: each element of a repeatable setting, or otherwise the value itself. */
type Each<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/** The name of a field; null for none, and undefined for the setting's own name in camel case. */
type FieldName = string | null | undefined;

export interface Setting<S extends TSchema = TSchema, Value = unknown, Field extends FieldName = FieldName> {
  /** The JSON schema, with `default` and `description`. That of a repeatable setting is an array of strings. */
  readonly schema: S;
  /** A description of allowed values, which ends the sentence "must be ...". */
  readonly allowed: string;
  /** Checks what the schema cannot express. */
  readonly accepts: (value: Each<Static<S>>) => boolean;
  /** Whether the value must never be shown, neither by `sluice config` nor in an error. */
  readonly secret: boolean;
  /** An environment variable that other programs use for the same value. Sluice's own variable takes precedence. */
  readonly alias: string | null;
  /** The field of the configuration that holds the value. Null if the value only goes into a field of several settings. */
  readonly field: Field;
  /**
   * Converts an accepted value for its field.
   *
   * @param cwd - The folder from which relative paths start.
   */
  readonly convert: (value: Static<S>, cwd: string) => Value;
}

/**
 * Declares a setting. By default, its schema alone validates it, it is not secret, it has no alias, and the field of its
 * name holds its value as it is.
 */
export function setting<S extends TSchema, Value = Static<S>, const Field extends FieldName = undefined>(
  schema: S,
  rest: Pick<Setting<S>, 'allowed'> &
    Partial<Pick<Setting<S>, 'accepts' | 'secret' | 'alias'>> & {
      readonly field?: Field;
      readonly convert?: (value: Static<S>, cwd: string) => Value;
    },
): Setting<S, Value, Field> {
  return {
    schema,
    accepts: () => true,
    secret: false,
    alias: null,
    field: undefined as Field,
    convert: (value) => value as Value,
    ...rest,
  };
}

/**
 * Returns the setting with another field than that of its name.
 *
 * @param convert - Default: the setting's own.
 */
export function setField<S extends TSchema, Value, const Field extends string | null, Converted = Value>(
  field: Field,
  one: Setting<S, Value>,
  convert?: (value: Static<S>, cwd: string) => Converted,
): Setting<S, Converted, Field> {
  return { ...one, field, convert: convert ?? (one.convert as Setting<S, never>['convert']) };
}

/** Returns the default value of a setting. */
export function getDefault({ schema }: Pick<Setting, 'schema'>): unknown {
  return 'default' in schema ? schema.default : undefined;
}

/** Returns the command-line flag of a setting: `--rest-port`. */
export function toFlag(name: string): string {
  return `--${name}`;
}

/** Returns the environment variables that a setting is read from; the first one that is set counts. */
export function listVariables(name: string, { alias }: Pick<Setting, 'alias'>): readonly string[] {
  return alias === null ? [toEnvironmentName(name)] : [toEnvironmentName(name), alias];
}

/** Returns sluice's own environment variable of a setting: `SLUICE_REST_PORT`. */
export function toEnvironmentName(name: string): string {
  return `SLUICE_${name.toUpperCase().replaceAll('-', '_')}`;
}
