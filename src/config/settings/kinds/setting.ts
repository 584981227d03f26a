import type { Static, TSchema } from 'typebox';

/** The value that `accepts` checks: each element of a repeatable setting, or otherwise the value itself. */
type Each<Value> = Value extends readonly (infer Element)[] ? Element : Value;

export interface Setting<S extends TSchema = TSchema> {
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
}

/** Declares a setting. By default, its schema alone validates it, it is not secret, and it has no alias. */
export function setting<S extends TSchema>(
  schema: S,
  rest: Pick<Setting<S>, 'allowed'> & Partial<Pick<Setting<S>, 'accepts' | 'secret' | 'alias'>>,
): Setting<S> {
  return { schema, accepts: () => true, secret: false, alias: null, ...rest };
}

/** Returns the default value of a setting. */
export function getDefault({ schema }: Setting): unknown {
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
