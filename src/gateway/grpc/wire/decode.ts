import { type DescMessage, fromBinary, type Message, type MessageShape } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

/** A received message: decoded with every required field, or the reason why it cannot be. `at` is its time of receipt. */
export type Received<T> =
  | { readonly message: T; readonly at: number }
  | { readonly invalid: string; readonly at: number };

/** Finds the first required field that a message lacks, as a path such as `token_pair.base_token`. */
type FindMissing = (message: object) => string | null;

/**
 * Creates a decoder that never throws, so that the service can answer a message that cannot be decoded.
 * @param stopwatch - Returns monotonic milliseconds, for the time of receipt.
 *
 * @example
 * ```ts
 * import { MarketMakerQuoteSchema } from '../generated/market_maker_pb.js';
 * import { createMessageDecoder } from './decode.ts';
 *
 * const decode = createMessageDecoder(MarketMakerQuoteSchema, () => performance.now());
 * const received = decode(new Uint8Array());
 * if ('invalid' in received) console.log(received.invalid); // MarketMakerQuote lacks the required field timestamp
 * ```
 */
export function createMessageDecoder<Desc extends DescMessage>(
  schema: Desc,
  stopwatch: () => number,
): (bytes: Uint8Array) => Received<MessageShape<Desc>> {
  const findMissing = createMissingFieldFinder(schema, new Map());
  return (bytes) => {
    const at = stopwatch();
    try {
      const message = fromBinary(schema, bytes);
      const missing = findMissing(message);
      return missing === null
        ? { message, at }
        : { invalid: `${schema.name} lacks the required field ${missing}`, at };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { invalid: `the message is no ${schema.name}: ${reason}`, at };
    }
  };
}

function createMissingFieldFinder(schema: DescMessage, known: Map<DescMessage, FindMissing>): FindMissing {
  const found = known.get(schema);
  if (found !== undefined) return found;
  // The runtime keeps a set field as an own property, and the default of an unset one on the prototype.
  const required = schema.fields
    .filter(({ presence }) => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED)
    .map(({ localName, name }) => ({ localName, name }));
  const inner: { readonly localName: string; readonly name: string; readonly find: FindMissing }[] = [];
  const findMissing: FindMissing = (message) => {
    for (const { localName, name } of required) {
      if (!Object.hasOwn(message, localName)) return name;
    }
    for (const { localName, name, find } of inner) {
      const value: unknown = (message as Message & Record<string, unknown>)[localName];
      for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
        const missing = find(one);
        if (missing !== null) return `${name}.${missing}`;
      }
    }
    return null;
  };
  known.set(schema, findMissing);
  for (const field of schema.fields) {
    if (field.message === undefined) continue;
    inner.push({
      localName: field.localName,
      name: field.name,
      find: createMissingFieldFinder(field.message, known),
    });
  }
  return findMissing;
}
