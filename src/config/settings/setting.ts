import type { Static, TSchema } from 'typebox';

/** What is judged one by one: the elements of a setting that can be repeated, otherwise its value. */
type Each<Value> = Value extends readonly (infer Element)[] ? Element : Value;

export interface Setting<S extends TSchema = TSchema> {
  /** Carries `default` and `description`. A setting that can be repeated is an array of strings. */
  readonly schema: S;
  /** What a value, or one of several, may be: it ends the sentence "allowed is ...". */
  readonly allowed: string;
  /** What the schema cannot say. */
  readonly accepts: (value: Each<Static<S>>) => boolean;
  /** Never shown: not by `sluice config`, not in an error. */
  readonly secret: boolean;
  /** Environment variable that other programs use for the same; the own one goes before it. */
  readonly alias: string | null;
}

export function setting<S extends TSchema>(
  schema: S,
  rest: Pick<Setting<S>, 'allowed'> & Partial<Pick<Setting<S>, 'accepts' | 'secret' | 'alias'>>,
): Setting<S> {
  return { schema, accepts: () => true, secret: false, alias: null, ...rest };
}

export function flagOf(name: string): string {
  return `--${name}`;
}

/** The variables that may carry a setting, the strongest first. */
export function variablesOf(name: string, { alias }: Pick<Setting, 'alias'>): readonly string[] {
  return alias === null ? [environmentNameOf(name)] : [environmentNameOf(name), alias];
}

export function environmentNameOf(name: string): string {
  return `SLUICE_${name.toUpperCase().replaceAll('-', '_')}`;
}
