import fc from 'fast-check';
import type { OpenApiDocument, Operation } from '../gateway/docs/openapi.ts';

type Json = Record<string, unknown>;

/** An operation of a document in which every schema is written out where it is used. */
export interface DocumentedCall {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface FuzzedRequest {
  /** The path with its query. */
  readonly url: string;
  /** Undefined for none. */
  readonly body: unknown;
}

export function listCalls(document: OpenApiDocument): readonly DocumentedCall[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** What is put into a text, an amount or a body to see it refused. */
const ADDRESS = 'So11111111111111111111111111111111111111112';
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    ...['', '0', '-1', '1e9', '0x10', '1.5', '18446744073709551616', 'NaN', 'null', '\u0000', '%', '../..'],
    ...['x'.repeat(5_000), '__proto__', "'; drop table orders; --", ADDRESS.slice(1), `${ADDRESS}1`, '١٢٣'],
    ...[null, true, -1, 1.5, 2 ** 53, [], {}, [[]], { toString: 1 }, { __proto__: null, constructor: {} }],
  ),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Makes requests from the schemas of operations: mostly sensible ones, sometimes of the right type, sometimes neither. */
export class FuzzedRequests {
  readonly #plausible: Readonly<Record<string, readonly unknown[]>>;
  readonly #texts: readonly string[];

  /**
   * @param plausible - What makes sense for a parameter, or a member of a body, by its name.
   * @param texts - What a text may be whose name says nothing.
   */
  constructor(plausible: Readonly<Record<string, readonly unknown[]>>, texts: readonly string[]) {
    this.#plausible = plausible;
    this.#texts = texts;
  }

  /** @param alias - Returns the name under which the values for a parameter are looked up. Default: its own. */
  requestFor(
    { operation, path }: DocumentedCall,
    alias: (name: string) => string = (name) => name,
  ): fc.Arbitrary<FuzzedRequest> {
    const { parameters, requestBody } = operation as unknown as {
      parameters: { name: string; in: string; required: boolean; schema: Json }[];
      requestBody?: { content: { 'application/json': { schema: Json } } };
    };
    const given = fc.record(
      Object.fromEntries(
        parameters.map(({ name, in: place, schema, required }) => [
          name,
          place === 'path'
            ? this.#valueFor(alias(name), schema)
            : this.#member(alias(name), schema, required),
        ]),
      ),
    );
    const schema = requestBody?.content['application/json'].schema;
    const body =
      schema === undefined
        ? fc.constant(undefined)
        : fc.oneof({ weight: 9, arbitrary: this.#objectOf(schema) }, hostile);
    const inPath = new Set(parameters.filter((each) => each.in === 'path').map(({ name }) => name));
    return fc.tuple(given, body).map(([values, sent]) => {
      const texts = Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, string] => [name, toText(value)]);
      const query = new URLSearchParams(texts.filter(([name]) => !inPath.has(name)));
      const filled = texts
        .filter(([name]) => inPath.has(name))
        .reduce((text, [name, value]) => text.replace(`{${name}}`, toSegment(value)), path);
      return { url: `${filled}?${query}`, body: sent };
    });
  }

  /** Left out now and then if it is needed, and mostly if it is not. */
  #member(name: string, schema: Json, needed: boolean): fc.Arbitrary<unknown> {
    const absent = { weight: needed ? 1 : 30, arbitrary: fc.constant(undefined) };
    return fc.oneof({ weight: needed ? 30 : 10, arbitrary: this.#valueFor(name, schema) }, absent);
  }

  #valueFor(name: string, schema: Json): fc.Arbitrary<unknown> {
    const known = this.#plausible[name];
    const typed = this.#typedValue(schema);
    return fc.oneof(
      { weight: 12, arbitrary: known === undefined ? typed : fc.constantFrom(...known) },
      { weight: 2, arbitrary: typed },
      { weight: 1, arbitrary: hostile },
    );
  }

  #typedValue(schema: Json): fc.Arbitrary<unknown> {
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    if (Array.isArray(schema.anyOf))
      return fc.oneof(...schema.anyOf.map((each: Json) => this.#typedValue(each)));
    switch (schema.type) {
      case 'object':
        return this.#objectOf(schema);
      case 'array':
        return fc.array(this.#typedValue((schema.items ?? {}) as Json), { maxLength: 4 });
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return fc.integer();
      case 'string':
        return fc.constantFrom(...this.#texts);
      default:
        return hostile;
    }
  }

  #objectOf({ properties = {}, required = [] }: Json): fc.Arbitrary<unknown> {
    const members = Object.entries(properties as Record<string, Json>);
    const needed = required as readonly string[];
    return fc
      .record(
        Object.fromEntries(
          members.map(([name, schema]) => [name, this.#member(name, schema, needed.includes(name))]),
        ),
      )
      .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));
  }
}

/** Without a value, the path would be another one. */
function toSegment(text: string): string {
  return encodeURIComponent(text || 'x');
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
