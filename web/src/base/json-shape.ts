/** Reads a value of an answer. @throws ShapeError if it has another form */
export type ShapeReader<Value> = (value: unknown) => Value;

/** The value that a reader returns. */
export type ShapeValue<Reader> = Reader extends ShapeReader<infer Value> ? Value : never;

/** An answer has another form than it should have. */
export class ShapeError extends Error {}

/** A list of an answer that is longer than this is refused: no page shows as much. */
const MAX_LISTED = 10_000;
const WHOLE = /^-?\d{1,80}$/;

/**
 * Readers of answers. An answer may come from a proxy or from another version, so nothing of it is used that was not looked at.
 *
 * @example
 * ```ts
 * import { shape } from './json-shape.ts';
 *
 * const readMaker = shape.object({ id: shape.text, name: shape.nullable(shape.text) });
 * readMaker({ id: 'acme', name: null, more: 1 }); // { id: 'acme', name: null }
 * ```
 */
export const shape = {
  text: (value: unknown): string => {
    if (typeof value !== 'string') throw new ShapeError('no text');
    return value;
  },
  flag: (value: unknown): boolean => {
    if (typeof value !== 'boolean') throw new ShapeError('neither true nor false');
    return value;
  },
  /** A number, such as a count or a time. */
  number: (value: unknown): number => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError('no number');
    return value;
  },
  /** A whole number of any size in decimal digits, such as an amount in smallest units. */
  whole: (value: unknown): bigint => {
    if (typeof value !== 'string' || !WHOLE.test(value)) throw new ShapeError('no whole number');
    return BigInt(value);
  },
  nullable:
    <Value>(read: ShapeReader<Value>): ShapeReader<Value | null> =>
    (value) =>
      value === null || value === undefined ? null : read(value),
  /** What an older version leaves out. */
  optional:
    <Value>(read: ShapeReader<Value>, absent: Value): ShapeReader<Value> =>
    (value) =>
      value === undefined ? absent : read(value),
  list:
    <Value>(read: ShapeReader<Value>): ShapeReader<readonly Value[]> =>
    (value) => {
      if (!Array.isArray(value) || value.length > MAX_LISTED) throw new ShapeError('no list');
      return value.map((item) => read(item));
    },
  /** An object that holds values of one kind by names. */
  record:
    <Value>(read: ShapeReader<Value>): ShapeReader<ReadonlyMap<string, Value>> =>
    (value) =>
      new Map(Object.entries(toObject(value)).map(([name, member]) => [name, read(member)])),
  /** An object with these members; others are left out. */
  object:
    <Readers extends Readonly<Record<string, ShapeReader<unknown>>>>(readers: Readers) =>
    (value: unknown): { readonly [Name in keyof Readers]: ShapeValue<Readers[Name]> } => {
      const members = toObject(value);
      const read = Object.entries(readers).map(([name, reader]) => [name, reader(getOwn(members, name))]);
      return Object.fromEntries(read) as { readonly [Name in keyof Readers]: ShapeValue<Readers[Name]> };
    },
};

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError('no object');
  return value as Readonly<Record<string, unknown>>;
}

function getOwn(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
