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
}

export function setting<S extends TSchema>(
  schema: S,
  rest: Pick<Setting<S>, 'allowed'> & Partial<Pick<Setting<S>, 'accepts' | 'secret'>>,
): Setting<S> {
  return { schema, accepts: () => true, secret: false, ...rest };
}

export function flagOf(name: string): string {
  return `--${name}`;
}

export function environmentNameOf(name: string): string {
  return `SLUICE_${name.toUpperCase().replaceAll('-', '_')}`;
}
