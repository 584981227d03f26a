import { PRODUCTS } from '../src/app/products.ts';
import type { Answer } from './answer.ts';
import { SOL, USDC } from './statements/mints.ts';
import type { AskOptions, World } from './world.ts';

/** A JSON schema, as far as requests are made from it. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** An endpoint of a product. */
export interface ServedEndpoint {
  readonly product: string;
  readonly method: string;
  readonly path: string;
  readonly aliases: readonly string[];
  readonly streams: boolean;
  readonly query: Schema | null;
  readonly body: Schema | null;
}

/**
 * All endpoints of all products that count what a caller asks, so that no statement that walks them misses a new one. Files that
 * everybody may read have statements of their own.
 */
export const SERVED_ENDPOINTS: readonly ServedEndpoint[] = PRODUCTS.flatMap(({ name, endpoints }) =>
  endpoints
    .filter(({ isOpen }) => !isOpen)
    .map(({ method, path, aliases, streams, query, body }) => ({
      product: name,
      method,
      path,
      aliases,
      streams,
      query: query as Schema | null,
      body: body as Schema | null,
    })),
);

const CHOSEN: Readonly<Record<string, string>> = {
  inputMint: SOL,
  outputMint: USDC,
  ids: SOL,
  query: 'SOL',
  tag: 'verified',
  category: 'toptraded',
  interval: '5m',
  limit: '5',
};

/** Returns a value that a parameter may have, by its name. */
export function goodText(name: string, wallet: string): string {
  const chosen = CHOSEN[name];
  if (chosen !== undefined) return chosen;
  if (/mint|token|asset/i.test(name)) return USDC;
  return /address|wallet|taker|user|owner|signer|sender|receiver/i.test(name) ? wallet : '1000000';
}

/** Returns the target of a request with what its endpoint needs, and with values that it may have. */
export function goodTarget({ path, query, streams }: ServedEndpoint, wallet: string, asked = path): string {
  const filled = asked.replace(/:(\w+)/g, (_, name: string) => goodText(name, wallet));
  const needed = (query?.required ?? []).map((name) => [name, goodText(name, wallet)]);
  // A stream has no end. With lists that name nothing, it is refused before it begins.
  if (streams) needed.push(...listsOf(query).map((name) => [name, '1']));
  return needed.length === 0 ? filled : `${filled}?${new URLSearchParams(Object.fromEntries(needed))}`;
}

/** Returns the parameters of a query that hold lists, by the types and the descriptions that clients read. */
export function listsOf(query: Schema | null): readonly string[] {
  return Object.entries(query?.properties ?? {})
    .filter(([, { type, description = '' }]) => type === 'array' || LIST_TEXT.test(description))
    .map(([name]) => name);
}

const LIST_TEXT = /separated by commas|commas between|^As for `\/tokens/;

/**
 * Returns a value of a schema with the fields that are required.
 * @param textFor - Returns the text of a field.
 */
function sampleValue(schema: Schema, textFor: (name: string) => string, name = ''): unknown {
  const { type, properties = {}, required = [], items, anyOf } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (anyOf !== undefined) return sampleValue(anyOf[0] ?? {}, textFor, name);
  if (type === 'object') {
    const sampleOf = (field: string) => sampleValue(properties[field] ?? {}, textFor, field);
    return Object.fromEntries(required.map((field) => [field, sampleOf(field)]));
  }
  if (type === 'array') return items === undefined ? [] : [sampleValue(items, textFor, name)];
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? true : textFor(name);
}

/** Returns a value of a schema that has the right types, and no meaning. */
export function meaninglessValue(schema: Schema): unknown {
  return sampleValue(schema, () => '1');
}

/** Returns the same value with null in each optional field, at any depth. */
export function withNulls(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withNulls(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const inner = (value as Record<string, unknown>)[name];
    return [name, inner === undefined ? null : withNulls(property, inner)];
  });
  return Object.fromEntries(fields);
}

/** Asks an endpoint with what it needs, and with values that it may have. */
export function askEndpoint(
  world: World,
  endpoint: ServedEndpoint,
  options: AskOptions & { readonly asked?: string } = {},
): Promise<Answer> {
  const { method, body } = endpoint;
  const { asked, ...others } = options;
  const wallet = world.wallet.address;
  const target = goodTarget(endpoint, wallet, asked);
  return world.ask(target, {
    method,
    ...(body === null ? {} : { body: sampleValue(body, (name) => goodText(name, wallet)) }),
    ...others,
  });
}
